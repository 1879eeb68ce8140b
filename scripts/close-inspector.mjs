import inspector from 'node:inspector';

// For `npm run dev -- --inspect`: an ending process would wait for its debugger to detach.
process.once('exit', () => inspector.close());
