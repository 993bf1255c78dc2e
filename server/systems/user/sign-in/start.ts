import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Slide, signIn } from '../../../../core/contract/user/sign-in.ts'
import type { Tx } from '../../../db/database.ts'
import type { limitOf } from '../../../http/defence/limit.ts'
import { Fault } from '../../../http/fault.ts'
import { type Served, servePublicWork } from '../../../http/serve.ts'
import { create } from '../../../states/transition.ts'
import { type Challenge, challengeMinutes, clientOf, note, openChallenge, step } from './challenge.ts'
import { asksSlide } from './policy.ts'
import { drawPuzzle, hashOf, isSolved, type Puzzle, slideSeconds } from './puzzle.ts'

type Counted = ReturnType<typeof limitOf>
/** Wrong answers to puzzles that a sign-in takes. */
const slideTries = 3

const soon = (tx: Tx) => new Date(tx.now.getTime() + slideSeconds * 1000)

const shown = (tx: Tx, { slide }: Puzzle): Slide => ({ ...slide, expireTime: soon(tx).toISOString() })
const kept = (tx: Tx, { slideHash, slideX }: Puzzle) => ({ slideHash, slideX, slideUntil: soon(tx) })

/** Begins a sign-in. */
const challengeServed = ({ begun, begunAt }: Record<'begun' | 'begunAt', Counted>): Served =>
  servePublicWork(signIn.challenge, {
    async before({ tx, input, request }) {
      const account = input.username?.toLowerCase()
      const tooMany =
        (await begun.take(request.ip, ...(account ? [account] : [null, request.browser]))) ??
        (await begunAt.take(request.ip))
      if (tooMany) throw tooMany
      return input.slideWanted === true || (await asksSlide(tx, input.username))
    },
    work: async isAsked => (isAsked ? drawPuzzle() : null),
    async after({ tx, request, actor }, puzzle) {
      const challengeId = randomUUID()
      const expires = new Date(tx.now.getTime() + challengeMinutes * 60_000)
      const values = {
        challengeId,
        createdTime: tx.now,
        expiresTime: expires,
        client: clientOf(request),
        slideRequired: puzzle !== null,
        ...(puzzle ? kept(tx, puzzle) : {}),
      }
      await create(tx, 'loginChallenge', values, { event: 'challenge.start' }, actor)
      const slide = puzzle && shown(tx, puzzle)
      return { challengeId, slideRequired: puzzle !== null, slide, expireTime: expires.toISOString() }
    },
  })

/** Each nonce is good for one answer: it is gone with it, whatever the answer was. */
const takeNonce = async (tx: Tx, row: Challenge, nonce: string): Promise<boolean> =>
  (await tx.exec(sql`
    update login_challenge set slide_hash = null
    where challenge_id = ${row.challengeId} and slide_hash = ${hashOf(nonce)}`)) === 1

const slideServed = servePublicWork(signIn.slide, {
  async before(call) {
    const { tx, input } = call
    const row = await openChallenge(call, input.challengeId, 'slide.verify')
    if (!(await takeNonce(tx, row, input.nonce))) return 'replayed' as const
    const isInTime = row.slideUntil !== null && Date.parse(row.slideUntil) > tx.now.getTime()
    if (isInTime && isSolved(Number(row.slideX), input)) return 'solved' as const
    return row.slideTries + 1 < slideTries ? ('wrong' as const) : ('burned' as const)
  },
  work: async found => ({ found, puzzle: found === 'wrong' ? await drawPuzzle() : null }),
  async after(call, { found, puzzle }) {
    const { tx, input, actor } = call
    const row = await openChallenge(call, input.challengeId, 'slide.verify')
    const slideTriesNow = row.slideTries + 1
    if (found === 'solved') {
      const slideToken = randomBytes(32).toString('base64url')
      const set = { slideTokenHash: hashOf(slideToken), slideTokenUntil: soon(tx) }
      await step(tx, row, { event: 'slide.verify', as: 'right', set }, actor)
      return { slideToken, slide: null }
    }
    if (puzzle) {
      const set = { slideTries: slideTriesNow, ...kept(tx, puzzle) }
      await step(tx, row, { event: 'slide.verify', as: 'wrong', set }, actor)
      return { slideToken: null, slide: shown(tx, puzzle) }
    }
    await step(tx, row, { event: 'slide.verify', as: 'burned', set: { slideTries: slideTriesNow } }, actor)
    note(tx, call, 'user.slideFailed', input.challengeId)
    return new Fault('stateConflict', 'errors.slideFailed')
  },
})

/** The start of a sign-in, and its puzzle. */
export const startServed = (limits: Record<'begun' | 'begunAt', Counted>): Served[] => [
  challengeServed(limits),
  slideServed,
]
