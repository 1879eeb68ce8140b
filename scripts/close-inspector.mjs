import inspector from 'node:inspector';

// Loaded into the server by `npm run dev -- --inspect`. Without it a process that ends waits until its debugger lets
// go, and a change of the code would not start the server anew.
process.once('exit', () => inspector.close());
