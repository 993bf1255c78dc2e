/** Proves that this window holds the order. */
export type Lease = { orderNo: string; leaseToken: string }
