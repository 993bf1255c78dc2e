import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { merchants } from '../../core/contract/operation/merchant.ts'
import { absent } from '../../core/rules/machines/machine.ts'
import type { Database, Tx } from '../db/database.ts'
import { heldIn, refuseMixture } from '../demo/state.ts'
import { newNo } from '../money/numbers.ts'
import { operate, operator, type Print } from '../operator.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { writeMenus } from '../rights/write-menus.ts'
import { writePerson } from '../session/person.ts'
import { installChannels } from '../systems/after-loan/payout/index.ts'
import { linkHours, makeLink } from '../systems/user/sign-in/index.ts'

const usage =
  'npm run admin -- --login grace --email grace@lender.example [--name "Grace Nakato"] [--company "Nile Credit"] [--url https://console.example]'

const options = {
  login: { type: 'string' },
  email: { type: 'string' },
  name: { type: 'string' },
  company: { type: 'string' },
  url: { type: 'string' },
} as const

const role = 'administrator'
const sensitive = [
  'pii:unmask',
  'pii:reveal:phone',
  'pii:reveal:idNumber',
  'pii:reveal:walletAccount',
  'pii:reveal:bankCardNo',
]
/** What stands in the place of a hash until a password was set. */
const none = 'none'

const Asked = z.object({
  login: z.string(usage).trim().min(1, usage).max(64),
  email: z.email(`--email must be an e-mail address: ${usage}`),
  name: z.string().trim().min(1).optional(),
  company: z.string().trim().min(1).default('Mkopo'),
  url: z
    .url({ protocol: /^https?$/, error: '--url must be the address of the console' })
    .default('http://localhost:8080'),
})
type Asked = z.output<typeof Asked>

/** The place of work that a person needs, where the database has none yet: company, head office, and a merchant that takes no orders. */
const writePlace = async (tx: Tx, company: string) => {
  if (await tx.maybe(sql<object>`select 1 from dept limit 1`)) return
  await tx.exec(sql`insert into company values ('C1', ${company})`)
  await tx.exec(
    sql`insert into org (org_no, org_name, parent_org_no, company_code) values ('O0', ${company}, null, 'C1')`,
  )
  await tx.exec(sql`insert into dept values ('D0', 'Head office', null, 'O0')`)
}

const writeMerchant = async (tx: Tx, company: string) => {
  if (await tx.maybe(sql<object>`select 1 from merchant limit 1`)) return
  await tx.exec(sql`
    insert into merchant (merchant_no, merchant_name, app_name, org_no, enabled)
    select 'M0', ${company}, ${company}, org_no, 'disabled' from org order by org_no limit 1`)
  tx.append('stateTransition', {
    machine: merchants.machine.id,
    objectNo: 'M0',
    event: 'item.create',
    fromState: absent,
    toState: 'disabled',
    actor: 'system',
    requestId: 'installation',
    at: tx.now,
    payload: null,
  })
}

type Waiting = { userNo: string; loginId: string; passwordHash: string }

const writeAdmin = async (tx: Tx, { login, email, name = login, company }: Asked): Promise<string> => {
  const people = await tx.rows(sql<Waiting>`select user_no, login_id, password_hash from app_user limit 2`)
  const [waiting] = people
  if (waiting) {
    const isHers = people.length === 1 && waiting.loginId === login && waiting.passwordHash === none
    if (!isHers) throw new Error('This database has people already: one of its administrators lets others in.')
    await tx.exec(sql`update app_user set email = ${email} where user_no = ${waiting.userNo}`)
    return waiting.userNo
  }
  await writePlace(tx, company)
  await writeMerchant(tx, company)
  const userNo = newNo('U', tx.now)
  const place = await tx.one(sql<{ deptNo: string; principalMerchantNo: string }>`
    select (select dept_no from dept order by dept_no limit 1) as dept_no,
      (select merchant_no from merchant order by merchant_no limit 1) as principal_merchant_no`)
  const names = { loginId: login, userName: login, realName: name, email, passwordHash: none }
  await writePerson(
    tx,
    { userNo, ...names, ...place, merchantNos: [place.principalMerchantNo] },
    operator('admin.add', userNo),
  )
  await tx.exec(sql`
    insert into role (role_no, role_name, role_nature, sensitive_perms, every_code)
    values (${role}, 'Administrator', 'headquarters', ${sensitive}, true) on conflict (role_no) do nothing`)
  await tx.exec(sql`insert into user_role values (${userNo}, ${role})`)
  await writeMenus(tx)
  await installChannels(tx)
  return userNo
}

/** Enters the first administrator, or renews the link of one who never used it; answers the link. @throws why there cannot be one */
export const enterAdmin = async (db: Database, asked: Asked): Promise<string> => {
  refuseMixture(await heldIn(db), false)
  return db.withTx(async tx => {
    await tx.exec(sql`lock table app_user in share row exclusive mode`)
    const userNo = await writeAdmin(tx, asked)
    const after = { loginId: asked.login, role }
    const actor = operator('admin.add', userNo)
    writeAudit(tx, { action: 'admin.add', path: '', actor }, [{ objectType: 'user', objectNo: userNo, after }])
    return makeLink(tx, userNo)
  })
}

const read = (args: string[]): Asked => {
  const given = Asked.safeParse(parseArgs({ args, options }).values)
  if (!given.success) throw new Error(given.error.issues[0]?.message ?? usage)
  return given.data
}

/** Enters the first administrator of an empty database and prints the link with which that person sets the password. */
export const addAdminFrom = (args: string[], env: NodeJS.ProcessEnv, print: Print, complain: Print) =>
  operate(env, complain, {
    read: () => read(args),
    act: async (db, asked) => {
      const link = await enterAdmin(db, asked)
      print(`Give this link to ${asked.login} alone. It is good once, for ${linkHours} hours:`)
      print(`${asked.url.replace(/\/+$/, '')}/Index/Login#link=${link}`)
    },
  })
