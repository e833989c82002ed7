// autoevals' classifier over the rows, `width` at a time with one client, as its users run it.
import { readFileSync } from "node:fs";
import OpenAI from "openai";
import { LLMClassifierFromTemplate } from "autoevals";

const [file, baseURL, width] = process.argv.slice(2);
const client = new OpenAI({ apiKey: "none", baseURL });
const fluent = LLMClassifierFromTemplate({ name: "Fluent", promptTemplate: "Is this text fluent?\n{{output}}\nA) yes\nB) no", choiceScores: { A: 1, B: 0 }, model: "m" });
const rows = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
let next = 0;
let scored = 0;
async function worker() {
  while (next < rows.length) {
    const row = rows[next++];
    const result = await fluent({ output: row.output, client });
    if (result.score === 1) scored++;
  }
}
await Promise.all(Array.from({ length: Number(width) }, worker));
if (scored !== rows.length) console.error(`autoevals: ${rows.length - scored} of ${rows.length} rows not scored`);
