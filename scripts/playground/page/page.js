"use strict";

const fields = ["path", "style", "base", "ours", "theirs", "rules"];
const element = (id) => document.getElementById(id);

const deployment = (replicas, image, env) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  template:
    spec:
      containers:
        - name: web
          image: registry.example.com/web:${image}
          env:
            - name: PORT
              value: "8080"
${env}`;

const examples = {
  "Two changes side by side": {
    path: "deploy/web.yaml",
    base: deployment("2 # two are enough", "1.0", ""),
    ours: deployment("5 # two are not enough", "1.0", "            - name: LOG_LEVEL\n              value: info\n"),
    theirs: deployment("2 # two are enough", "1.1", "            - name: CACHE\n              value: redis\n"),
  },
  "One real conflict": {
    path: "deploy/web.yaml",
    base: deployment("2", "1.0", ""),
    ours: deployment("3", "1.1", ""),
    theirs: deployment("4", "1.0", "            - name: CACHE\n              value: redis\n"),
  },
  "A rule decides": {
    path: "deploy/web.yaml",
    base: deployment("2", "1.0.0", ""),
    ours: deployment("2", "1.2.0", ""),
    theirs: deployment("3", "1.1.0", ""),
    rules: "rules:\n  - files: deploy/**\n    fields:\n      \"**.image\": highest\n",
  },
  "A Helm template": {
    path: "templates/deployment.yaml",
    base: "spec:\n  {{- if .Values.replicas }}\n  replicas: {{ .Values.replicas }}\n  {{- end }}\n  strategy: Recreate\n  paused: false\n",
    ours: "spec:\n  {{- if .Values.replicas }}\n  replicas: {{ .Values.replicas | int }}\n  {{- end }}\n  strategy: Recreate\n  paused: false\n",
    theirs: "spec:\n  {{- if and .Values.replicas (not .Values.autoscaling) }}\n  replicas: {{ .Values.replicas }}\n  {{- end }}\n  strategy: RollingUpdate\n  paused: false\n",
  },
  "Git's clean merge is wrong": {
    path: "values.yaml",
    base: "image: web\n\nservice:\n  port: 80\n\nlogs: info\n",
    ours: "image: web\npaused: false\n\nservice:\n  port: 80\n\nlogs: info\n",
    theirs: "image: web\n\nservice:\n  port: 80\n\nlogs: info\npaused: true\n",
  },
};

let newest = 0; // ID of the newest request; responses to older requests are ignored
if (location.protocol === "file:") // workers need a server
  element("status").textContent = "This page needs a web server. Run this in its folder: python3 -m http.server";
const worker = new Worker("worker.js");
worker.onmessage = ({ data }) => data.id === newest && show(data.response);

function sendRequest() {
  const request = Object.fromEntries(fields.map((f) => [f, element(f).value]));
  history.replaceState(null, "", "#" + encode(request));
  worker.postMessage({ id: ++newest, request });
}

function show(response) {
  const bad = response.error || response.conflicts.length > 0;
  element("status").className = "status " + (bad ? "bad" : "good");
  element("status").textContent = response.error || formatCount(response.conflicts.length) + (response.how === "field" ? ", merged by field" : response.how ? ", " + response.how : "");
  paint(element("merged"), response.merged || "");
  paint(element("git"), response.git ? response.git.merged : "");
  element("git-status").className = "status " + (response.git && response.git.conflicts ? "bad" : "good");
  element("git-status").textContent = response.git ? formatCount(response.git.conflicts) : "";
  const notes = response.error ? [] : [
    ...response.conflicts.map((c) => `line ${c.line}: ${c.path || "conflict"}${c.why ? " (" + c.why + ")" : ""}`),
    ...response.decided.map((c) => `${c.path}: ${c.why}`),
    ...response.notes,
  ];
  element("notes").replaceChildren(...notes.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

const formatCount = (conflicts) => (conflicts === 0 ? "Clean" : conflicts === 1 ? "1 conflict" : `${conflicts} conflicts`);

// paint shows a merged file in the element pre, with conflicts in color.
function paint(pre, text) {
  let side = "";
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  pre.replaceChildren(...lines.map((line) => {
    const span = document.createElement("span");
    span.textContent = line;
    const marker = { "<<<<<<< ": "ours", "||||||| ": "base", "=======": "theirs", ">>>>>>> ": "" };
    const next = Object.keys(marker).find((m) => line.startsWith(m) && (side !== "" || m === "<<<<<<< "));
    if (next !== undefined) {
      side = marker[next];
      span.className = "marker";
    } else {
      span.className = side;
    }
    return span;
  }));
}

// encode returns a request as the part of a link after #: JSON in UTF-8, in the URL-safe variant of base64.
function encode(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// decode returns the request in a link, or null if there is none.
function decode(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function fill(request) {
  for (const f of fields) element(f).value = typeof request[f] === "string" ? request[f] : f === "style" ? "merge" : "";
  sendRequest();
}

let timer;
for (const f of fields) {
  element(f).addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(sendRequest, 150);
  });
}
for (const name of Object.keys(examples)) element("example").append(new Option(name));
element("example").addEventListener("change", () => fill(examples[element("example").value]));
element("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    element("shared").textContent = "Copied";
  } catch {
    element("shared").textContent = "The link is in the address bar";
  }
});
window.addEventListener("hashchange", () => fill(decode(location.hash.slice(1)) || Object.values(examples)[0]));
fill(decode(location.hash.slice(1)) || Object.values(examples)[0]);
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("offline.js");
