import { africasTalking } from '../../../gateways/texts/africas-talking.ts'
import { type HttpAuth, httpVendor, postAnywhere } from '../../../gateways/texts/http-vendor.ts'
import { type SmppLines, smppLines } from '../../../gateways/texts/smpp/smpp-lines.ts'
import type { SmsVendor } from '../../../gateways/texts/sms-vendor.ts'
import { postPublic, publicLookup } from '../../../outgoing/open-link.ts'

/** What an account says of how its vendor is spoken to. */
export type Kind = {
  messageVendor: string
  overTls: boolean | null
  httpAuth: string | null
  requestTemplate: string | null
  vendorPaths: { vendorPart: string; vendorPath: string }[] | null
  vendorWords: { vendorWord: string; wordMeaning: string }[] | null
}
/** An account and its secret. */
export type Access = Kind & {
  accountNo: string
  accountName: string
  senderId: string
  vendorEndpoint: string
  vendorUser: string
  secret: string
}
/** Where it is spoken to: in a demo at addresses of this machine too. */
export type Around = { demo: boolean; lines?: SmppLines }

const withScheme = (endpoint: string) =>
  endpoint.includes('://') ? endpoint.replace(/\/+$/, '') : `http://${endpoint}`

const smpp = (of: Access, words: Record<string, string>, { demo, lines = smppLines() }: Around): SmsVendor => {
  const [host = '', port = ''] = of.vendorEndpoint.split(':')
  const access = { host, port: Number(port), tls: of.overTls ?? false, systemId: of.vendorUser, password: of.secret }
  return lines.of(of.accountNo, { ...access, ...(demo ? {} : { lookup: publicLookup }) }, words)
}

/** An account as it is reached with its secret; those on the internet are reached at public addresses alone. */
export const vendorOf = (of: Access, around: Around): SmsVendor => {
  const words = Object.fromEntries((of.vendorWords ?? []).map(one => [one.vendorWord, one.wordMeaning]))
  if (of.messageVendor === 'smpp') return smpp(of, words, around)
  if (of.messageVendor === 'http')
    return httpVendor({
      ...{ url: of.vendorEndpoint, user: of.vendorUser, secret: of.secret, words },
      ...{ auth: (of.httpAuth ?? 'bearer') as HttpAuth, request: of.requestTemplate ?? '{}' },
      paths: Object.fromEntries((of.vendorPaths ?? []).map(one => [one.vendorPart, one.vendorPath])),
      post: around.demo ? postAnywhere : postPublic,
    })
  return africasTalking({ baseUrl: withScheme(of.vendorEndpoint), username: of.vendorUser, apiKey: of.secret })
}
