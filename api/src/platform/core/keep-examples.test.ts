import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A process whose seventh request comes just after V8 has collected all garbage; tells what the eighth looks like. */
function describeEighthMessages(before: string): string {
  const script = `
    import { IncomingMessage, ServerResponse } from 'node:http';
    import { Socket } from 'node:net';
    import { keepExamples } from '${new URL('./keep-examples.ts', import.meta.url)}';
    ${before}
    const describe = (message) => (%HasFastProperties(message) ? 'struct' : 'hash table');
    const respond = () => new ServerResponse(new IncomingMessage(new Socket()));
    for (let request = 1; request < 7; request += 1) respond();
    gc();
    respond();
    const response = respond();
    console.log(describe(response.req), describe(response));`;
  const flags = ['--expose-gc', '--allow-natives-syntax', '--input-type=module'];
  return execFileSync(process.execPath, [...flags, '--eval', script], { encoding: 'utf8' }).trim();
}

test('requests and responses stay structs, whenever garbage is collected', () => {
  expect(describeEighthMessages('keepExamples();')).toBe('struct struct');
});

test('without an example they become hash tables: once they do not, none has to be kept', () => {
  expect(describeEighthMessages('')).toBe('hash table hash table');
});
