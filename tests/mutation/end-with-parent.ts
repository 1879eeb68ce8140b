// Loaded into Stryker and its workers: however the process above ends, they end with it and leave nothing running.
process.once('disconnect', () => process.exit(1));
// A worker lives as long as it has somebody to listen to; Stryker itself ends when its work is done.
if (process.env.STRYKER_MUTATOR_WORKER === undefined) process.channel?.unref();
