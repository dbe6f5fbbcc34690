import assert from "node:assert/strict";
import { test } from "node:test";
import { PayloadSession, readFrames, WireFormatError } from "../src/index.js";
import { countWork, readOrRefuse } from "./support/hostile.js";
import { mutate, Random } from "./support/random.js";
import { formatVectors, goldenPayloads, regressions } from "./support/vectors.js";

const inputs = 100_000;

/** Times that bytes may be taken for each byte of the input, and for an input at all. */
const workPerByte = 4;
const workPerInput = 64;

const seeds: readonly Uint8Array[] = [
  ...goldenPayloads().map((payload) => payload.bytes),
  ...formatVectors().map((vector) => vector.bytes),
  ...regressions().map((regression) => regression.bytes),
];

test("regressions of the fuzzer for .NET", async (context) => {
  const all = regressions();
  assert.ok(all.length >= 22, "they are found");
  for (const { name, bytes } of all) {
    await context.test(name, () => {
      assert.ok(countWork(() => readOrRefuse(bytes)) <= bytes.length * workPerByte + workPerInput);
    });
  }
});

test(`${inputs} mutations of the vectors are read, or refused with the one error`, () => {
  const random = new Random(20261126);
  const kinds = new Map<string, number>();
  let most = 0;
  for (let input = 0; input < inputs; input++) {
    const bytes = mutate(random, random.of(seeds), random.of(seeds));
    try {
      const work = countWork(() => {
        const kind = readOrRefuse(bytes) ?? "read";
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      });
      most = Math.max(most, (work - workPerInput) / Math.max(1, bytes.length));
    } catch (error) {
      assert.fail(`input ${input}, ${Buffer.from(bytes).toString("hex")}: ${String(error)}`);
    }
  }
  assert.ok(most <= workPerByte, `${most} times as much work as there are bytes`);
  for (const kind of ["read", "Truncated", "Tag", "Manifest", "Length", "Limit", "InvalidValue", "Reference", "SchemaMismatch"]) {
    assert.ok((kinds.get(kind) ?? 0) > 0, `nothing is ${kind}: ${JSON.stringify([...kinds])}`);
  }
});

test("mutated messages of sessions are read, or refused with the one error", () => {
  const random = new Random(7);
  const messages = formatVectors().filter((vector) => vector.clause === "10").map((vector) => vector.bytes);
  for (let round = 0; round < 500; round++) {
    const session = new PayloadSession();
    for (let message = 0; message < 20; message++) {
      const bytes = mutate(random, random.of(messages), random.of(seeds));
      bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x14;
      readOrRefuse(bytes, { session, allowTrailingBytes: random.next(2) === 0 });
    }
  }
});

test("mutated framed files are split, or refused with the one error", () => {
  const random = new Random(11);
  const files = formatVectors().filter((vector) => vector.clause === "11").map((vector) => vector.bytes);
  for (let round = 0; round < 5_000; round++) {
    try {
      for (const payload of readFrames(mutate(random, random.of(files), random.of(seeds)))) {
        readOrRefuse(payload);
      }
    } catch (error) {
      assert.ok(error instanceof WireFormatError, String(error));
    }
  }
});
