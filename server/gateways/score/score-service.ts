import { z } from 'zod'
import { faultOf, type PostOnce, postPublic } from '../../outgoing/open-link.ts'
import { type Circuit, circuit } from './circuit.ts'

/** A score with the reasons that the service gives, or that there is none and why. */
export type ScoreAnswer = { is: 'scored'; score: number; reasons: string[] } | { is: 'unknown'; reason: string }
/** What a service is asked: facts by name, and nothing that says whose they are. */
export type ScoreQuestion = {
  /** Whose failures count together. */
  key: string
  url: string
  credential: string | null
  modelNo: string
  version: number
  scoreMin: number
  scoreMax: number
  facts: Readonly<Record<string, unknown>>
}
export type ScoreService = { ask: (question: ScoreQuestion) => Promise<ScoreAnswer> }

const timeoutMs = 2_000
const mostHeard = 10_000
const Answer = z.object({
  score: z.int(),
  reasons: z.array(z.string().trim().min(1).max(80)).max(5).default([]),
})

/** Whether an address is one that a service may have: HTTPS, by name, without a key in it. */
export const isServiceUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hostname, hash } = new URL(text)
  return protocol === 'https:' && !username && !password && !hash && hostname.includes('.')
}

const read = (text: string, { scoreMin, scoreMax }: ScoreQuestion): ScoreAnswer => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { is: 'unknown', reason: 'unreadable' }
  }
  const answer = Answer.safeParse(body)
  if (!answer.success) return { is: 'unknown', reason: 'unreadable' }
  const { score, reasons } = answer.data
  return score < scoreMin || score > scoreMax
    ? { is: 'unknown', reason: 'out_of_range' }
    : { is: 'scored', score, reasons }
}

const once = async (post: PostOnce, question: ScoreQuestion): Promise<ScoreAnswer & { again?: true }> => {
  const { url, credential, modelNo, version, facts } = question
  try {
    const { status, text } = await post(new URL(url), {
      body: JSON.stringify({ modelNo, version, facts }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(credential ? { authorization: `Bearer ${credential}` } : {}),
      },
      timeoutMs,
      most: mostHeard,
    })
    if (status === 200) return read(text, question)
    return { is: 'unknown', reason: `http_${status}`, ...(status >= 500 ? { again: true as const } : {}) }
  } catch (error) {
    const reason = faultOf(error)
    return { is: 'unknown', reason, ...(reason === 'private_address' ? {} : { again: true as const }) }
  }
}

/**
 * Asks for a score over HTTPS, public hosts alone: two seconds, and once more where there was no answer. A service that fails a fifth of
 * fifty calls is not asked for five minutes. What is not a plain answer is unknown, and decides nothing.
 */
export const scoreService = ({
  post = postPublic,
  skips = circuit(),
}: {
  post?: PostOnce
  skips?: Circuit
} = {}): ScoreService => ({
  async ask(question) {
    if (!isServiceUrl(question.url)) return { is: 'unknown', reason: 'address' }
    if (skips.isOpen(question.key)) return { is: 'unknown', reason: 'skipped' }
    const first = await once(post, question)
    const { again, ...answer } = first.is === 'unknown' && first.again ? await once(post, question) : first
    skips.note(question.key, answer.is === 'scored')
    return answer
  },
})
