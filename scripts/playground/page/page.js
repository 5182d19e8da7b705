"use strict";

const fields = ["path", "style", "base", "ours", "theirs", "rules"];
const at = (id) => document.getElementById(id);

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
    ours: deployment("5 # two were not", "1.0", "            - name: LOG_LEVEL\n              value: info\n"),
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

let last = 0; // the newest question; answers to older ones are late
const worker = new Worker("worker.js");
worker.onmessage = ({ data }) => data.id === last && show(data.answer);

function ask() {
  const question = Object.fromEntries(fields.map((f) => [f, at(f).value]));
  history.replaceState(null, "", "#" + encode(question));
  worker.postMessage({ id: ++last, question });
}

function show(answer) {
  const bad = answer.error || answer.conflicts.length > 0;
  at("status").className = "status " + (bad ? "bad" : "good");
  at("status").textContent = answer.error || said(answer.conflicts.length) + (answer.how === "structural" ? ", merged by field" : answer.how ? ", " + answer.how : "");
  paint(at("merged"), answer.merged || "");
  paint(at("git"), answer.git ? answer.git.merged : "");
  at("git-status").className = "status " + (answer.git && answer.git.conflicts ? "bad" : "good");
  at("git-status").textContent = answer.git ? said(answer.git.conflicts) : "";
  const notes = answer.error ? [] : [
    ...answer.conflicts.map((c) => `line ${c.line}: ${c.path || "conflict"}${c.why ? " (" + c.why + ")" : ""}`),
    ...answer.decided.map((c) => `${c.path}: ${c.why}`),
    ...answer.notes,
  ];
  at("notes").replaceChildren(...notes.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

const said = (conflicts) => (conflicts === 0 ? "Clean" : conflicts === 1 ? "1 conflict" : `${conflicts} conflicts`);

// paint shows text with its conflicts in colours.
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

// A question in a link: UTF-8 as base64 that needs no escapes.
function encode(question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decode(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function fill(question) {
  for (const f of fields) at(f).value = typeof question[f] === "string" ? question[f] : f === "style" ? "merge" : "";
  ask();
}

let soon;
for (const f of fields) {
  at(f).addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(ask, 150);
  });
}
for (const name of Object.keys(examples)) at("example").append(new Option(name));
at("example").addEventListener("change", () => fill(examples[at("example").value]));
at("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    at("shared").textContent = "Copied";
  } catch {
    at("shared").textContent = "The address bar has it";
  }
});
window.addEventListener("hashchange", () => fill(decode(location.hash.slice(1)) || Object.values(examples)[0]));
fill(decode(location.hash.slice(1)) || Object.values(examples)[0]);
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("offline.js");
