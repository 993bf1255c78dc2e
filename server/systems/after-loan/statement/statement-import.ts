import { sql } from 'kysely'
import {
  maxStatementDays,
  maxWrongRows,
  recon,
  StatementRow,
  statementExample,
} from '../../../../core/contract/after-loan/reconciliation.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { text } from '../../../../core/i18n/server.ts'
import { formatMoney, type Money, sum } from '../../../../core/rules/money.ts'
import { addDays, type EatDate, eatDateTime } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { writers } from '../../../files/exports/store.ts'
import { failWords } from '../../../files/imports/store.ts'
import { templateBytes } from '../../../files/imports/template.ts'
import { attachUpload, readyUpload } from '../../../files/uploads/stored.ts'
import type { StatementLine } from '../../../gateways/gateway.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serveDownload, serveWork } from '../../../http/serve.ts'
import { wordsOfKey } from '../../../messages/message.ts'
import type { Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { accountScope } from '../fund-account/fund-account-source.ts'
import { runRecon } from '../reconciliation/recon-queue.ts'
import { lockRecon, takeStatement } from '../reconciliation/statement-store.ts'
import { type Asked, type FileRead, readStatementFile, type WrongRow } from './statement-file.ts'

type Input = ParsedOf<typeof recon.importCheck>
type Own = { fundAccountNo: string; channel: string; accountNumber: string }
type Prepared = { own: Own; asked: Asked }
type Done = Prepared & { outcome: Awaited<ReturnType<typeof readStatementFile>> }

const perm = String(recon.import.perm)

const accountOf = async ({ tx, session }: Call<unknown>, fundAccountNo: string): Promise<Own> => {
  const own = await tx.maybe(sql<Own>`
    select fund_account_no, channel, account_number from fund_account x where fund_account_no = ${fundAccountNo} and ${accountScope(session, sql`x.fund_account_no`, perm)}`)
  if (!own) throw notFound()
  return own
}

/** What the account held at the end of the last statement before a day. */
const closedWith = async (tx: Tx, { fundAccountNo }: Own, date: EatDate): Promise<Money | null> => {
  const last = await tx.maybe(sql<{ closing: Money }>`
    select closing from statement where fund_account_no = ${fundAccountNo} and statement_date < ${date}
    order by statement_date desc, created_time desc, statement_no desc limit 1`)
  return last?.closing ?? null
}

const prepare =
  (dir: string) =>
  async (call: Call<Input>): Promise<Prepared> => {
    const { tx, session, input } = call
    const { fundAccountNo, uploadNo, fromDate, toDate } = input
    const own = await accountOf(call, fundAccountNo)
    if (toDate < fromDate) throw invalid('toDate', 'validation.endBeforeBegin')
    if (toDate >= tx.today) throw invalid('toDate', 'validation.statementNotClosed')
    if (toDate > addDays(fromDate, maxStatementDays - 1))
      throw invalid('toDate', 'validation.statementDays', { max: maxStatementDays })
    const file = await readyUpload(tx, uploadNo, { purpose: 'statement', userNo: session.userNo, dir })
    const opening = input.openingStatement ?? (await closedWith(tx, own, fromDate))
    const asked = { file, accountNumber: own.accountNumber, fromDate, toDate, opening }
    return { own, asked: { ...asked, closing: input.closingStatement ?? null } }
  }

const work = async (prepared: Prepared): Promise<Done> => ({
  ...prepared,
  outcome: await readStatementFile(prepared.asked),
})

type Known = Pick<StatementLine, 'serialNo' | 'direction' | 'lineKind' | 'amount'> & {
  fundAccountNo: string
  entryTime: string
}
const keyOf = ({ serialNo, direction, lineKind }: Known | StatementLine) => `${serialNo} ${direction} ${lineKind}`

/** How many lines are new; numbers of orders in place of those of the channel, and lines of another account of ours, are refused. */
const compared = async (tx: Tx, { fundAccountNo }: Own, { lines }: FileRead, wrong: WrongRow[]) => {
  const serials = lines.map(({ serialNo }) => serialNo)
  const orders = await tx.rows(sql<{ orderNo: string }>`
    select order_no from loan_order where order_no = any(${serials})`)
  for (const { orderNo } of orders)
    wrong.push({ rowNo: 0, path: 'serialNo', key: 'errors.statementOrderNo', params: { orderNo } })
  const stored = await tx.rows(sql<Known>`
    select fund_account_no, serial_no, direction, line_kind, amount, entry_time from statement_line where serial_no = any(${serials})`)
  const own = new Map(stored.filter(one => one.fundAccountNo === fundAccountNo).map(one => [keyOf(one), one]))
  const others = new Set(
    stored.filter(one => one.fundAccountNo !== fundAccountNo).map(one => `${keyOf(one)} ${one.amount}`),
  )
  const elsewhere = lines.filter(line => !own.has(keyOf(line)) && others.has(`${keyOf(line)} ${line.amount}`))
  if (elsewhere.length > lines.length / 2) throw invalid('uploadNo', 'errors.statementOfOtherLines')
  const known = lines.filter(line => own.has(keyOf(line)))
  const differ = known.filter(line => own.get(keyOf(line))?.amount !== line.amount)
  return {
    addedCount: lines.length - known.length,
    repeatedCount: known.length - differ.length,
    differCount: differ.length,
  }
}

/** Days before the file of which no statement is known, since the first one. */
const missingBefore = async (tx: Tx, { fundAccountNo }: Own, fromDate: EatDate): Promise<number> => {
  const { days } = await tx.one(sql<{ days: number }>`
    select coalesce(${fromDate}::date - max(statement_date) - 1, 0)::int as days from statement
    where fund_account_no = ${fundAccountNo} and statement_date < ${fromDate}`)
  return days
}

/** What was read, or its refusal in the words of the caller. */
const readOf = ({ session }: Call<unknown>, { outcome }: Done): FileRead => {
  if ('lines' in outcome) return outcome
  if ('fault' in outcome) throw outcome.fault
  if (outcome.why === 'unreadable') throw invalid('uploadNo', 'errors.statementUnreadable')
  throw invalid('uploadNo', `dict.IMPORT_FAIL.${outcome.why}`, failWords(session.language, outcome.params))
}

const sumOf = ({ lines }: FileRead, way: StatementLine['direction']): Money =>
  sum(lines.filter(({ direction }) => direction === way).map(({ amount }) => amount))

const check = (dir: string) =>
  serveWork(recon.importCheck, {
    before: prepare(dir),
    work,
    after: async (call, done) => {
      const { tx, session } = call
      const read = readOf(call, done)
      const wrong = [...read.wrong]
      const counts = await compared(tx, done.own, read, wrong)
      const { statementFormat, opening, closing } = read
      return {
        statementFormat,
        openingStatement: opening,
        closingStatement: closing,
        inSum: sumOf(read, 'in'),
        outSum: sumOf(read, 'out'),
        ...counts,
        wrongCount: wrong.length,
        missingDays: await missingBefore(tx, done.own, done.asked.fromDate),
        wrongRows: wrong.slice(0, maxWrongRows).map(({ rowNo, path, key, params }) => ({
          rowNo,
          column: path || null,
          words: wordsOfKey(session.language, key, params),
        })),
      }
    },
  })

/** One wrong row, and none is taken: a statement with holes proves nothing. */
const checkRight = ([first, ...more]: readonly WrongRow[]) => {
  if (!first) return
  const { rowNo, path, key, params } = first
  if (rowNo === 0) throw invalid('uploadNo', key as 'errors.statementOrderNo', params)
  const said = { row: rowNo, column: `fields.${path}`, why: key, n: more.length + 1 }
  throw invalid('uploadNo', 'errors.statementRows', said)
}

/** The same bytes of an account are most likely a mistake: when and by whom they were brought. */
const broughtBefore = async (tx: Tx, { fundAccountNo }: Own, sha256: string) => {
  const same = await tx.maybe(sql<{ broughtTime: string; realName: string }>`
    select f.brought_time, coalesce(u.real_name, f.brought_by) as real_name from statement_file f left join app_user u on u.user_no = f.brought_by
    where f.fund_account_no = ${fundAccountNo} and f.sha256 = ${sha256} order by f.brought_time desc limit 1`)
  return same && { time: eatDateTime(same.broughtTime), name: same.realName }
}

const prepareNew =
  (dir: string) =>
  async (call: Call<ParsedOf<typeof recon.import>>): Promise<Prepared> => {
    const prepared = await prepare(dir)(call)
    if (call.input.confirmDuplicate) return prepared
    const same = await broughtBefore(call.tx, prepared.own, prepared.asked.file.sha256)
    if (same) throw new Fault('needsConfirmation', 'errors.sameFile', same, { confirm: ['confirmDuplicate'] })
    return prepared
  }

const take = (dir: string) =>
  serveWork(recon.import, {
    before: prepareNew(dir),
    work,
    after: async (call, done) => {
      const { tx, input, actor, audit } = call
      const { own, asked } = done
      const { fundAccountNo, channel } = await accountOf(call, own.fundAccountNo)
      await lockRecon(tx, fundAccountNo)
      const read = readOf(call, done)
      const wrong = [...read.wrong]
      const { addedCount, repeatedCount, differCount } = await compared(tx, own, read, wrong)
      checkRight(wrong)
      const { uploadNo, sha256, fileName } = asked.file
      const same = input.confirmDuplicate ? undefined : await broughtBefore(tx, own, sha256)
      if (same) throw new Fault('stateConflict', 'errors.statementMeanwhile', same)
      const fileNo = newNo('SF', tx.now)
      await attachUpload(tx, uploadNo, 'statement', fileNo, actor)
      for (const { date, statement } of read.days) {
        const taken = { fundAccountNo, channel, date, statement, source: 'import' as const }
        const { statementNo } = await takeStatement(tx, taken, actor)
        await runRecon(tx, fundAccountNo, date, statementNo ?? fileNo)
      }
      const { fromDate, toDate } = asked
      await tx.exec(sql`
        insert into statement_file (file_no, fund_account_no, sha256, upload_no, statement_format, from_date, to_date, line_count, added_count, known_count, brought_by, brought_time)
        values (${fileNo}, ${fundAccountNo}, ${sha256}, ${uploadNo}, ${read.statementFormat}, ${fromDate}, ${toDate}, ${read.lines.length}, ${addedCount}, ${repeatedCount + differCount}, ${actor.no}, ${tx.now})`)
      const sums = { inSum: formatMoney(sumOf(read, 'in')), outSum: formatMoney(sumOf(read, 'out')) }
      const after = { fileNo, fileName, sha256, fromDate, toDate, addedCount, repeatedCount, differCount, ...sums }
      audit({ objectType: 'fundAccount', objectNo: fundAccountNo, after })
      return { fileNo, addedCount, repeatedCount }
    },
  })

const template = serveDownload(recon.importTemplate, 'recon.template', async ({ input, session }) => {
  const { exportFormat } = input
  const columns = { row: StatementRow, example: statementExample }
  const bytes = templateBytes(columns, session.language, writers[exportFormat])
  const name = `${text(session.language, 'recon.statementFile')}.${exportFormat}`
  return { bytes, name, type: writers[exportFormat].type, size: bytes.length }
})

/** Statements that people bring by hand. `dir` is where uploads lie. */
export const statementImportModule = (dir: string): Module => ({ served: [check(dir), take(dir), template] })
