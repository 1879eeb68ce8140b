import inspector from 'node:inspector';

// For `npm run dev -- --inspect`. Otherwise an ending process waits for its debugger to detach, which blocks
// restarts.
process.once('exit', () => inspector.close());
