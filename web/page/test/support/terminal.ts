const colors: Record<string, string> = {
  "1": "font-weight: bold",
  "2": "color: #6e7681",
  "31": "color: #ff7b72",
  "32": "color: #7ee787",
  "33": "color: #e3b341",
  "36": "color: #79c0ff",
};

/** A page that looks like a terminal with a command and its output, whose colors are those of the output. */
export function terminalPage(command: string, output: string): string {
  const body = output.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\x1b\[(\d+)m/g, (_, code: string) => (code === "0" ? "</span>" : `<span style="${colors[code] ?? ""}">`));
  return `<!DOCTYPE html><meta charset="utf-8"><title>terminal</title><style>
    body { margin: 0; background: #0d1117; color: #e6edf3; }
    pre { margin: 0; padding: 12px 18px; font: 13px/19px "DejaVu Sans Mono", monospace; }
    i { font-style: normal; color: #7ee787; }
  </style><pre class="terminal"><i>$</i> ${command}\n${body}</pre>`;
}
