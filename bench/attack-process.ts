import { connect } from 'node:net';
import type { AttackPlan } from './attack.ts';

// Opens the planned connections, reports when all are open or refused, and reopens cut ones until its parent
// disconnects.
process.once('message', (plan: AttackPlan) => {
  let missing = plan.connections;
  for (let index = 0; index < plan.connections; index += 1) {
    keepOpen(plan, () => {
      missing -= 1;
      if (missing === 0) process.send?.('standing');
    });
  }
});
process.on('disconnect', () => process.exit());

/** Faster reopening would measure only that. */
const pauseMs = 500;

function keepOpen(plan: AttackPlan, onFirst: () => void): void {
  let isFirst = true;
  const socket = connect({ host: '127.0.0.1', port: plan.port, localAddress: plan.from });
  const begin = () => {
    if (isFirst) onFirst();
    isFirst = false;
  };
  socket.once('connect', () => {
    socket.write(plan.bytes);
    if (plan.reads) socket.resume();
    else socket.pause();
    begin();
  });
  socket.on('error', begin);
  socket.once('close', () => setTimeout(() => keepOpen(plan, () => {}), pauseMs));
}
