import { z } from 'zod'
import { refuseInTransaction } from '../../db/in-transaction.ts'

/** Whose number it is, that nobody has it, or that there was no answer that says so. */
export type BvnAnswer =
  | { is: 'found'; name: string; birthDate: string; phone: string }
  | { is: 'none' }
  | { is: 'unknown'; reason: string }

/** The service of the banks that knows who holds a verification number. */
export type BvnService = { ask: (bvn: string) => Promise<BvnAnswer> }

export type BvnAccess = { baseUrl: string; apiKey: string; timeoutMs?: number; fetch?: typeof fetch }

const Holder = z.object({
  fullName: z.string().min(1).max(120),
  dateOfBirth: z.iso.date(),
  phone: z.string().min(1).max(20),
})

/**
 * One question by HTTPS. The service is slow, and may say that it is still looking (202): whatever is not a plain answer is unknown,
 * never a refusal, and may be asked again.
 */
export const bvnService = ({ baseUrl, apiKey, timeoutMs = 6_000, fetch: go = fetch }: BvnAccess): BvnService => ({
  async ask(bvn) {
    refuseInTransaction('a verification number is asked for')
    try {
      const response = await go(`${baseUrl}/v1/holders/${encodeURIComponent(bvn)}`, {
        headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (response.status === 404) return { is: 'none' }
      if (response.status !== 200) return { is: 'unknown', reason: `http ${response.status}` }
      const holder = Holder.safeParse(await response.json().catch(() => undefined))
      if (!holder.success) return { is: 'unknown', reason: 'unreadable' }
      const { fullName, dateOfBirth, phone } = holder.data
      return { is: 'found', name: fullName, birthDate: dateOfBirth, phone }
    } catch (error) {
      return { is: 'unknown', reason: (error as Error).name === 'TimeoutError' ? 'timeout' : 'no answer' }
    }
  },
})
