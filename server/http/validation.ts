import type { z } from 'zod'
import type { Key } from '../../core/i18n/index.ts'
import { isKey } from '../../core/i18n/server.ts'
import { Fault, type Params } from './fault.ts'

type Issue = z.core.$ZodIssue
type Words = { key: Key; params: Params }

const bySize = (issue: { origin?: string; minimum?: unknown; maximum?: unknown }, small: boolean): Words => {
  const limit = String(small ? issue.minimum : issue.maximum)
  if (issue.origin === 'string' && small && issue.minimum === 1) return { key: 'validation.contentEmpty', params: {} }
  if (issue.origin === 'string')
    return { key: small ? 'validation.tooShort' : 'validation.tooLong', params: { max: limit, min: limit } }
  if (issue.origin === 'array')
    return { key: small ? 'validation.chooseSome' : 'validation.tooMany', params: { max: limit, min: limit } }
  return { key: small ? 'validation.tooSmall' : 'validation.tooGreat', params: { max: limit, min: limit } }
}

const words = (issue: Issue): Words => {
  const size = issue as { origin?: string; minimum?: unknown; maximum?: unknown }
  if (isKey(issue.message)) return { key: issue.message, params: { max: String(size.maximum ?? '') } }
  switch (issue.code) {
    case 'unrecognized_keys':
      return { key: 'validation.unknownKey', params: { name: issue.keys.join(', ') } }
    case 'too_big':
      return bySize(size, false)
    case 'too_small':
      return bySize(size, true)
    case 'invalid_type':
      return {
        key: 'input' in issue && issue.input !== undefined ? 'validation.wrongType' : 'validation.infoComplete',
        params: {},
      }
    default:
      return { key: 'validation.wrongValue', params: {} }
  }
}

/** What is wrong with an input, placed at its fields; the first one is also the message. */
export const explain = (issues: readonly Issue[]): Fault => {
  const fields = issues.slice(0, 20).map(issue => ({ path: issue.path.join('.'), ...words(issue) }))
  const [first] = fields
  return new Fault('validation', first?.key ?? 'validation.wrongValue', first?.params ?? {}, { fields })
}
