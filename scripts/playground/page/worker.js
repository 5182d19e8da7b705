// A web worker that runs merges, so that the page stays responsive. It loads the program at the first request.
importScripts("wasm_exec.js");

const waiting = [];
let loaded = false;

self.ready = () => {
  loaded = true;
  for (const request of waiting.splice(0)) respond(request);
};

self.onmessage = (event) => {
  if (loaded) respond(event.data);
  else if (waiting.push(event.data) === 1) start();
};

function respond({ id, request }) {
  postMessage({ id, response: JSON.parse(self.merge(JSON.stringify(request))) });
}

async function start() {
  try {
    const response = await fetch("merge.wasm.gz");
    if (!response.ok) throw new Error(`merge.wasm.gz: ${response.status} ${response.statusText}`);
    let bytes = await response.arrayBuffer();
    const head = new Uint8Array(bytes, 0, 2);
    if (head[0] === 0x1f && head[1] === 0x8b) { // still compressed; some servers send it decompressed
      bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    }
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
    go.run(instance);
  } catch (error) {
    for (const { id } of waiting.splice(0)) postMessage({ id, response: { error: String(error.message || error) } });
  }
}
