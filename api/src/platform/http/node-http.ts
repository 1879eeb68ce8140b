/** An import of `node:http` would also load Node's `fetch`, a twentieth of a start's processor time. */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
