import { randomUUID } from 'node:crypto'
import { codes } from '../../core/contract/codes.ts'
import { contract } from '../../core/contract/contract.ts'
import type { Endpoint, Envelope, InputOf, OutputOf } from '../../core/contract/endpoint.ts'
import type { Calendar } from './calendar.ts'
import type { Fixture } from './fixture.ts'
import { hear } from './pay-in-model.ts'
import { workOn } from './payout-model.ts'
import { isReversing, type Life, Refused } from './state.ts'
import { dayOf, plusDays } from './sums.ts'

/** The server said or shows something else than the model. */
export class Divergence extends Error {
  override name = 'Divergence'
}

/** How often the server gave which answer to what. */
export const answered = new Map<string, number>()

export type Answer<T> = Envelope<T>
/** Payees are changed by the clerk, and the reader agrees. */
type Who = 'maker' | 'checker' | 'clerk' | 'reader'

/** One order's life, driven over HTTP on the server and predicted by the model. */
export const newGame = (o: { fixture: Fixture; calendar: Calendar; life: Life }) => {
  const { fixture, calendar, life } = o
  const { loan, repay } = contract
  let last: { path: string; body: string; key: string; who: Who; text: string } | null = null

  const post = (path: string, body: string, key: string, who: Who | null, proof?: string) =>
    fixture.send('POST', path, {
      body,
      headers: {
        'idempotency-key': key,
        ...(who ? { token: fixture[who].token } : {}),
        ...(proof ? { 'x-step-up': proof } : {}),
      },
    })

  /** A command or a question as staff send it; a step-up that is asked for is given. */
  const call = async <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    who: Who = 'maker',
  ): Promise<Answer<OutputOf<E>>> => {
    const key = randomUUID()
    const body = JSON.stringify(input)
    let text = await post(endpoint.path, body, key, who)
    if ((JSON.parse(text) as Envelope).code === codes.stepUp)
      text = await post(endpoint.path, body, key, who, await fixture.stepUp(fixture[who]))
    const answer = JSON.parse(text) as Answer<OutputOf<E>>
    if (answer.code === 0) endpoint.output.parse(answer.data)
    if (endpoint.audit && answer.code !== codes.needsConfirmation) last = { path: endpoint.path, body, key, who, text }
    return answer
  }

  const get = async <E extends Endpoint>(endpoint: E, query: Record<string, string>): Promise<OutputOf<E>> => {
    const inPath = endpoint.path.includes('{')
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => query[name] as string)
    const search = inPath ? '' : `?${new URLSearchParams(query)}`
    const text = await fixture.send('GET', `${path}${search}`, { headers: { token: fixture.maker.token } })
    const { code, msg, data } = JSON.parse(text) as Envelope<OutputOf<E>>
    if (code !== 0) throw new Divergence(`${path} answers ${code} ${msg}`)
    return data
  }

  const seen = new Map<string, number>()
  let changed = false
  const heard = (what: string, code: number) => {
    if (code === codes.ok) changed = true
    const name = `${what} ${code}`
    answered.set(name, (answered.get(name) ?? 0) + 1)
  }

  const clock = () => {
    life.now = calendar.now()
    life.today = dayOf(new Date(life.now))
    for (const one of life.approvals) if (one.status === 'pending' && one.expires <= life.now) one.status = 'expired'
  }

  return {
    fixture,
    life,
    script: fixture.script(life.lot),
    call,
    get,
    codesOf: async (orderNo: string) => (await get(loan.codesOfOrder, { orderNo })).list,
    detailOf: (orderNo: string) => get(repay.detail, { orderNo }),

    /** The same command once more under the same key: the same bytes, and nothing happens. */
    async again() {
      if (!last) return
      const text = await post(last.path, last.body, last.key, last.who)
      if (text !== last.text) throw new Divergence(`${last.path} answers ${text} again, and ${last.text} before`)
    },

    /** What the network says unasked; nobody signs it. */
    announce: (body: object) => post('/callback/pay/mtn_momo', JSON.stringify(body), randomUUID(), null),

    /** Runs the model's side of a command; a refusal leaves nothing of it. Answers the code that is expected. */
    foresee(act: () => void): number {
      const before = structuredClone(life)
      try {
        act()
        return codes.ok
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        Object.assign(life, before)
        return error.code
      }
    },

    agree(what: string, answer: { code: number; msg?: string }, expected: number) {
      heard(what, answer.code)
      if (answer.code !== expected)
        throw new Divergence(`${what}: the server answers ${answer.code} ${answer.msg ?? ''}, the model ${expected}`)
    },
    /** What a command on several rows answered, row by row. */
    agreeRows(what: string, answer: Answer<unknown>, expected: readonly (readonly [string, number])[]) {
      this.agree(what, answer, codes.ok)
      const { rows } = answer.data as { rows: { id: string; code: number }[] }
      for (const { code } of rows) heard(`${what}, row`, code)
      this.same(
        what,
        rows.map(({ id, code }) => [id, code]),
        expected,
      )
    },
    /** Whether anything was done since this was asked last. */
    takeChanged() {
      const was = changed
      changed = false
      return was
    },
    /** The version of a record as it was last shown; below nothing when staff never saw it. */
    versionOf: (number: string) => seen.get(number) ?? -1,
    saw: (number: string, version: number) => void seen.set(number, version),
    same(what: string, shown: unknown, expected: unknown) {
      const [left, right] = [JSON.stringify(shown), JSON.stringify(expected)]
      if (left !== right) throw new Divergence(`${what}: the server shows ${left}, the model ${right}`)
    },

    async pass(milliseconds: number) {
      const before = life.today
      await calendar.sleep(milliseconds)
      clock()
      for (let day = plusDays(before, 1); day <= life.today; day = plusDays(day, 1))
        for (const order of life.orders) if (isReversing(order)) order.loan?.spared.push(day)
    },

    /** Both sides do what is due. */
    async work() {
      await fixture.work(life.lot)
      for (;;) {
        const due = life.jobs.filter(job => job.at <= life.now)
        if (due.length === 0) return
        life.jobs = life.jobs.filter(job => !due.includes(job))
        for (const job of due) {
          if (job.queue === 'payIn') hear(life, job.event, job.round)
          else workOn(life, job)
        }
      }
    },
  }
}
export type Game = ReturnType<typeof newGame>
