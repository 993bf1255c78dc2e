/** Places between which the server must be able to die. `call` and `job` only say what is under way from here on. */
export type FaultPoint =
  | 'call'
  | 'job'
  | 'before-commit'
  | 'in-commit'
  | 'after-commit'
  | 'before-send'
  | 'after-send'
  | 'mid-batch'
  | 'before-answer'

/** Does nothing. The server that the fault tests build has another function in its place, which dies, breaks or waits here. */
export const faultPoint = (_point: FaultPoint, _name?: string): Promise<void> | undefined => undefined
