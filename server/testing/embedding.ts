import { contract } from '../../core/contract/contract.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { addPartner, type Grant } from '../embed/grant.ts'
import type { Kit, Person } from './kit.ts'

const { embed } = contract
export const crm = 'https://crm.example'

/** The partner of a test: its back end mints, and its page calls from its origin. */
export const openPartner = async (kit: Kit, given: Partial<Grant> = {}) => {
  const grant: Grant = {
    partnerNo: 'PG1',
    partnerName: 'Kampala CRM',
    clientId: 'kampala-crm',
    origins: [crm],
    widgets: ['mkopo-audit-my-audit'],
    perms: ['audit:self:page', 'audit:order:handle', 'order:detail:view', 'pii:reveal:phone'],
    merchantNos: ['M1', 'M2'],
    ...given,
  }
  const secret = await kit.db.withTx(tx => addPartner(tx, grant))
  const basic = (clientId = grant.clientId, key = secret) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${key}`).toString('base64')}`,
  })
  const mint = (person: Person, o: Partial<InputOf<typeof embed.mint>> = {}, headers = basic()) =>
    kit.call(
      embed.mint,
      { loginId: `login.${person.userNo}`, widgets: [...grant.widgets], origin: grant.origins[0] as string, ...o },
      { headers },
    )
  /** A page of the partner with a token for this person. */
  const page = async (person: Person, o: Partial<InputOf<typeof embed.mint>> = {}) => {
    const { code, msg, data } = await mint(person, o)
    if (code !== 0) throw new Error(`${code} ${msg}`)
    return { as: { userNo: person.userNo, token: data.token }, headers: { origin: grant.origins[0] as string } }
  }
  return { grant, secret, basic, mint, page }
}
