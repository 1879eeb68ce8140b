/** Of an open order that was neither refunded nor disputed. */
export const untouchedMoney = {
  closed: null,
  refundCents: 0,
  unassignedCents: 0,
  refundState: null,
  failedCents: 0,
  settledCents: 0,
  lostCents: 0,
  disputed: false,
  inquiry: false,
};
