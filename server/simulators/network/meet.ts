import { behaviourOf } from './cases.ts'
import { error, type Reply } from './http.ts'
import type { Network } from './network.ts'
import type { Operation } from './operation.ts'
import type { Request } from './record.ts'
import type { Scenarios } from './scenarios.ts'

export type Given = Omit<Request, 'code' | 'variant'>

/** How a protocol words what the case decided. */
export type Words = {
  accepted: (operation: Operation) => Reply
  busy: (status: number) => Reply
  /** All tokens die, and this one is refused. */
  tokenDead: () => Reply
}

/** An answer that nobody can use. */
export const garbled = async (network: Network, variant: string | null): Promise<Reply> => {
  if (variant === 'html') return { status: 200, type: 'text/html', text: '<html><body>Service busy</body></html>' }
  if (variant === 'empty') return { status: 200 }
  if (variant === 'broken') return { status: 200, type: 'application/json', text: '{"status": "SUCC' }
  if (variant === 'late') await network.pass(61)
  return error(500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred while processing.')
}

/** Takes a new request in, or turns it away, as its case wants it; what was turned away meets the same case again. */
export const meet = async (
  { network, scenarios }: { network: Network; scenarios: Scenarios },
  given: Given,
  words: Words,
): Promise<Reply> => {
  const { ref } = given
  const before = network.turnedAway(ref)
  const { code, variant } = before ?? scenarios.choose(given.externalId, given.party, network.met(given.party))
  const { answering } = behaviourOf(code)
  const turnAway =
    answering === 'lost' || (!before && (answering === 'busy' || answering === 'tokenDies')) || variant === 'persistent'
  if (turnAway) {
    network.turnAway(given, code, variant)
    if (answering === 'lost') return 'cut'
    return answering === 'busy' ? words.busy(Number(variant ?? 503)) : words.tokenDead()
  }
  const operation = network.take({ ...given, code, variant })
  if (answering === 'cut') return 'cut'
  if (answering === 'garbled') return garbled(network, variant)
  if (answering === 'callbackFirst') await operation.delivered
  if (answering === 'held') await network.pass(5)
  return words.accepted(operation)
}
