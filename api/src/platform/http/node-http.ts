/**
 * Node's HTTP, as `node:http` has it. Importing that module by its name makes Node load its `fetch` as well, which
 * takes a twentieth of the processor time of a start and is not needed before the shop serves.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
