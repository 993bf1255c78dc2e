import { contract } from '../../core/contract/contract.ts'
import { readyFile } from '../../server/testing/ready-file.ts'
import type { Game } from './game.ts'
import { find } from './payout-acts.ts'
import { fail, succeed } from './payout-model.ts'
import { type Attempt, newestCode, type Order, refuse } from './state.ts'
import { dayOf, plusDays } from './sums.ts'

export type Word = {
  result: 'success' | 'failure'
  /** Days before today on which the statement shows it. */
  daysAgo: number
  serial: 'own' | 'other' | 'orderNo' | 'none'
  who: 'maker' | 'checker'
  stale: boolean
}

type Said = { result: Word['result']; serialNo: string | undefined; statementDate: string }

const checkEvidence = (g: Game, order: Order, attempt: Attempt, { result, serialNo, statementDate }: Said) => {
  if (statementDate < dayOf(new Date(attempt.sentAt as number)) || statementDate > g.life.today) refuse(40001)
  if (result === 'failure') {
    if (statementDate === g.life.today) refuse(40001)
    return
  }
  if (!serialNo || serialNo === order.orderNo) refuse(40001)
  const codes = g.life.orders.flatMap(one => one.codes)
  if (codes.flatMap(code => code.attempts).some(one => one !== attempt && one.serialNo === serialNo)) refuse(40001)
  const own = newestCode(order)
  if (codes.some(code => code !== own && code.said?.serialNo === serialNo)) refuse(40001)
}

const speak = (g: Game, order: Order, word: Word, said: Said) => {
  const code = newestCode(order)
  if (word.stale) refuse(40902)
  if (code.status !== 'remitting' && code.status !== 'unknown') refuse(40901)
  const attempt = code.attempts.at(-1) as Attempt
  if (attempt.sentAt === null || g.life.now - attempt.sentAt < 30 * 60_000) refuse(40901)
  checkEvidence(g, order, attempt, said)
  const { result, serialNo = null, statementDate: date } = said
  const first = code.said
  if (!first) {
    code.said = { result, serialNo, date, by: word.who }
    return
  }
  if (first.by === word.who) refuse(40301)
  code.said = null
  if (first.result !== result || (result === 'success' && first.serialNo !== serialNo)) return
  const held = { order, code, attempt }
  if (result === 'success') succeed(g.life, held, { date: first.date, serialNo: String(first.serialNo) })
  else fail(g.life, held, 'other', true)
}

/** Two people say by the statement what became of a payout; the first one alone decides nothing. */
export const confirm = async (g: Game, order: Order, word: Word) => {
  const code = newestCode(order)
  const own = `C-${order.orderNo}-${code.attemptNo}`
  const serialNo = { own, other: `${own}X`, orderNo: order.orderNo, none: undefined }[word.serial]
  const statementDate = plusDays(g.life.today, -word.daysAgo)
  const said = { result: word.result, serialNo, statementDate }
  const evidence = await readyFile(g.fixture.db, g.fixture[word.who].userNo)
  const version = g.versionOf(code.loanCode) - (word.stale ? 1 : 0)
  const answer = await g.call(contract.loan.confirm, { loanCode: code.loanCode, version, ...said, evidence }, word.who)
  const expected = g.foresee(() => speak(g, find(g, order), word, said))
  g.agree(`confirm ${word.result}`, answer, expected)
  if (expected === 0) g.same('confirm', answer.data.loanCodeStatus, newestCode(find(g, order)).status)
}
