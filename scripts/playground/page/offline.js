// A service worker that stores the files of the page, so that it works without a network.
const files = ["./", "page.js", "worker.js", "wasm_exec.js", "merge.wasm.gz"];
const cache = "playground";

self.addEventListener("install", (event) => event.waitUntil(caches.open(cache).then((c) => c.addAll(files)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(
    fetch(event.request)
      .then(async (response) => {
        if (response.ok) (await caches.open(cache)).put(event.request, response.clone());
        return response;
      })
      .catch(async () => (await caches.match(event.request, { ignoreSearch: true })) || Response.error()),
  );
});
