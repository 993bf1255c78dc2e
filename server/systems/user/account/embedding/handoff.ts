import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../../../core/contract/contract.ts'
import { isExternalLink } from '../../../../../core/rules/text/external-link.ts'
import type { Partner } from '../../../../embed/partner.ts'
import { Fault, notFound } from '../../../../http/fault.ts'
import { type PublicCall, type Served, serve, servePublic } from '../../../../http/serve.ts'

const lifeMs = 60_000

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')
const over = () => new Fault('notFound', 'errors.handoffOver')

/** The code that an external link of the menu carries in the place of a token. */
const handOff = serve(contract.user.handoff, async ({ tx, session, input: { menuNo } }) => {
  const link = await tx.maybe(sql<{ externalUrl: string }>`
    select m.external_url from user_role ur join role_menu rm using (role_no) join live_menu m using (menu_no)
    where ur.user_no = ${session.userNo} and m.menu_no = ${menuNo} and m.external_url is not null limit 1`)
  if (!link || !isExternalLink(link.externalUrl)) throw notFound()
  const code = `mkopo_handoff_${randomBytes(24).toString('base64url')}`
  const expires = new Date(tx.now.getTime() + lifeMs)
  await tx.exec(sql`
    insert into handoff_code (code_hash, user_no, menu_no, created_time, expires_time)
    values (${hashOf(code)}, ${session.userNo}, ${menuNo}, ${tx.now}, ${expires})`)
  return { code, expireTime: expires.toISOString() }
})

type Came = { userNo: string; loginId: string; realName: string; menuNo: string; externalUrl: string }

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : null)

/**
 * Says who came with a code, once, and only to the partner whose page the link leads to. Asking uses it up: of two calls at
 * the same time one gets the answer.
 */
const exchange = (partnerBehind: (call: PublicCall) => Promise<Partner>) =>
  servePublic(contract.embed.handoff, async call => {
    const { tx, input, audit } = call
    const { partnerNo, origins } = await partnerBehind(call)
    const came = await tx.maybe(sql<Came>`
      update handoff_code h set used_time = ${tx.now}, partner_no = ${partnerNo} from app_user u, menu m
      where h.code_hash = ${hashOf(input.code)} and h.used_time is null and h.expires_time > ${tx.now}
        and u.user_no = h.user_no and m.menu_no = h.menu_no and u.user_status = 'normal' and u.employee_status = 'on_job'
      returning u.user_no, u.login_id, u.real_name, h.menu_no, m.external_url`)
    if (!came) throw over()
    const { externalUrl, ...person } = came
    if (!origins.includes(originOf(externalUrl) ?? '')) return over()
    audit({ objectType: 'user', objectNo: person.userNo, after: { partnerNo, menuNo: person.menuNo } })
    return person
  })

export const handoffServed = (partnerBehind: (call: PublicCall) => Promise<Partner>): Served[] => [
  handOff,
  exchange(partnerBehind),
]
