import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { mask } from '../../core/rules/mask.ts'
import { best, countCap, pageSize } from '../million-best.ts'
import { answerUsage } from './usage.ts'

/**
 * The least that answers a list: `node:http` and `pg`, named statements written by hand that go out together, the session and its
 * right looked up in memory, the values masked that lists mask. The rows are as wide as those of the product.
 */
const [, , url = '', port = '0'] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 10 })
const hash = (token: string) => createHash('sha256').update(token).digest('hex')

type Person = { perms: ReadonlySet<string> }
const sessions = new Map<string, Person>()
for (const { token_hash } of (await pool.query<{ token_hash: string }>('select token_hash from session')).rows)
  sessions.set(token_hash, { perms: new Set(['audit:manage:page']) })

type Input = { orderStatus?: string[]; merchantNo?: string[]; pageNum?: number }
const columns = { orderStatus: 'o.order_status', merchantNo: 'o.merchant_no' } as const

const statements = new Map<string, readonly [string, string]>()
/** The page and the capped count of some filters, as somebody would write them for exactly these. */
const statementsFor = (names: readonly (keyof typeof columns)[]) => {
  const key = names.join()
  const where = names.map((name, at) => `${columns[name]} = $${at + 1}`).join(' and ') || 'true'
  const made =
    statements.get(key) ??
    (best({ list: 'order', where, by: 'o.apply_time', way: 'desc' }).map((text, at) =>
      at === 0 ? text.replace(/offset \d+/, `offset $${names.length + 1}`) : text,
    ) as [string, string])
  statements.set(key, made)
  return made
}

const bodyOf = async (request: IncomingMessage): Promise<Input> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString()) as Input
}

type Row = { customer_name: string; id_number: string; phone: string }
const answer = async (request: IncomingMessage) => {
  const person = sessions.get(hash(String(request.headers.token)))
  if (!person?.perms.has('audit:manage:page')) return { code: -10, msg: 'signed out', data: null }
  const input = await bodyOf(request)
  const names = (Object.keys(columns) as (keyof typeof columns)[]).filter(name => input[name])
  const values = names.map(name => input[name]?.[0])
  const [page, count] = statementsFor(names)
  const pageNum = input.pageNum ?? 1
  const name = names.join('-')
  const [rows, counted] = await Promise.all([
    pool.query<Row>({ name: `page-${name}`, text: page, values: [...values, (pageNum - 1) * pageSize] }),
    pool.query<{ count: string }>({ name: `count-${name}`, text: count, values }),
  ])
  for (const row of rows.rows) Object.assign(row, { id_number: mask(row.id_number), phone: mask(row.phone) })
  const total = Math.min(countCap, Number(counted.rows[0]?.count))
  return { code: 0, msg: 'ok', data: { list: rows.rows, total, pageNum, pageSize } }
}

const server = createServer((request, response) => {
  void answer(request).then(
    data => {
      const body = JSON.stringify(data)
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body)
    },
    error => response.writeHead(500).end(String(error)),
  )
})
server.listen(Number(port), '127.0.0.1', () => answerUsage(server))
