// Reads diagrams with Mermaid and traces with a parser of the Trace Event Format, and ends with 1 when one cannot be read.
// It stands in a folder beside which mermaid, jsdom and chrome-trace are installed.
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';
import chromeTrace from 'chrome-trace';

globalThis.window = new JSDOM('<body></body>').window; // Mermaid cleans texts with the help of a document
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');

const kinds = { '.states.mmd': 'gantt', '.rebalance.mmd': 'sequence' };

async function read(file) {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.perfetto')) {
    const { threadName, eventTypeTime } = chromeTrace.parseObject(JSON.parse(text));
    const nameless = Object.keys(eventTypeTime).filter((thread) => !threadName[thread]);
    return nameless.length > 0 ? `threads without a name: ${nameless}` : '';
  }
  const { diagramType } = await mermaid.parse(text);
  const [, want] = Object.entries(kinds).find(([ending]) => file.endsWith(ending));
  return diagramType === want ? '' : `a ${diagramType}, not a ${want}`;
}

for (const file of process.argv.slice(2)) {
  const wrong = await read(file).catch((e) => String(e.message ?? e));
  if (wrong !== '') {
    console.error(`${file}: ${wrong}`);
    process.exitCode = 1;
  }
}
