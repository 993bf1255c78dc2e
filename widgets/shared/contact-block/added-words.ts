import type { OutputOf } from '../../../core/contract/endpoint.ts'
import type { contactBlock } from '../../../core/contract/merchant/contact-block.ts'

type Answer = OutputOf<typeof contactBlock.add>

/** How many numbers were taken, and which were not. */
export const addedWords = ({ results, contactOf }: Answer) => {
  const of = (outcome: Answer['results'][number]['outcome']) => results.filter(one => one.outcome === outcome)
  return {
    key: 'contactBlock.added' as const,
    params: {
      added: of('added').length,
      waits: of('waits').length,
      exists: of('exists').length,
      wrong: of('format').length + of('own').length,
      values: [...of('format'), ...of('own')]
        .map(one => one.value)
        .slice(0, 5)
        .join(', '),
      contactOf,
    },
  }
}
