import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import path from 'node:path'
import { base } from '../../core/contract/endpoint.ts'
import type { Config } from '../config.ts'
import { startSimulator } from '../demo/simulator.ts'
import {
  type CalledChannel,
  type ChannelAccount,
  calledChannels,
  channelVendor,
} from '../gateways/channels/channel-vendor.ts'
import { mailFolder, smsFolder } from '../gateways/letters/letter-folder.ts'
import { smtp } from '../gateways/mail/smtp.ts'
import { africasTalking } from '../gateways/texts/africas-talking.ts'
import type { SmppLines } from '../gateways/texts/smpp/smpp-lines.ts'
import type { SmsAccount, SmsKind, SmsVendor } from '../gateways/texts/sms-vendor.ts'
import type { Log } from '../log.ts'
import type { Vendors } from './vendors.ts'

type Place = {
  port: number
  log: Log
  program: (name: 'sms' | 'mail') => string
  lines: SmppLines
  /** How Node runs a simulator; as it runs this process unless given. */
  execArgv?: readonly string[]
}

/** Where a vendor reports what became of texts: with a secret that is ours and its. */
export const reportPath = ({ accountNo, reportSecret }: Pick<SmsAccount, 'accountNo' | 'reportSecret'>): string =>
  `${base}/callback/sms/${accountNo}/${reportSecret}/report`

/** The account of each channel, which has one. */
const accountOf: Readonly<Record<CalledChannel, string>> = { whatsapp: 'whatsapp', voice: 'voice', app_push: 'push' }

/** The vendors of a demo, both played by one process. */
export const demoAccounts = [
  { accountNo: 'sms-1', vendorName: 'Nile Text', senderId: 'NILECREDIT', username: 'nile-text' },
  { accountNo: 'sms-2', vendorName: 'Lake SMS', senderId: 'NILECREDIT', username: 'lake-sms' },
  { accountNo: 'sms-3', vendorName: 'Equator SMPP', senderId: 'NILECREDIT', username: 'equator', kind: 'smpp' },
] as const satisfies readonly (Pick<SmsAccount, 'accountNo' | 'vendorName' | 'senderId'> & {
  username: string
  kind?: SmsKind
})[]

type Reached = { accountNo: string; baseUrl: string; username: string; apiKey: string }
/** What the codes mean that the simulated vendor has for itself. */
const demoWords = { 1025: 'balance', 1026: 'network_optout', 'err:406': 'network_optout' }

/** A vendor by the address of its account: `smpp://host:port`, encrypted as `ssmpp`, or the protocol of Africa's Talking. */
const vendorAt = (lines: SmppLines, { accountNo, baseUrl, username, apiKey }: Reached, words = {}): SmsVendor => {
  const { protocol, hostname: host, port } = new URL(baseUrl)
  if (!protocol.startsWith('smpp') && !protocol.startsWith('ssmpp'))
    return africasTalking({ baseUrl, username, apiKey })
  const tls = protocol === 'ssmpp:'
  const access = { host, port: Number(port || (tls ? 3550 : 2775)), tls, systemId: username, password: apiKey }
  return lines.of(accountNo, access, words)
}
const kindAt = (baseUrl: string): SmsKind => (/^s?smpp:/.test(baseUrl) ? 'smpp' : 'africas_talking')

/** A port that nobody listens at now. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Takes a port that is found free; between finding and taking it somebody else may have it, so another one is found. */
const onFreePort = async <T>(wanted: number, take: (port: number) => Promise<T>): Promise<[port: number, taken: T]> => {
  for (let tries = 3; ; tries--) {
    const port = wanted || (await freePort())
    try {
      return [port, await take(port)]
    } catch (error) {
      if (wanted || tries === 1) throw error
    }
  }
}

/** The further channels of a demo: one customer of the simulated vendor of texts, with an account for each. */
const demoChannels = (port: number) => {
  const [apiKey, reportSecret] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')]
  const reportUrl = (channel: CalledChannel) =>
    `http://127.0.0.1:${port}${reportPath({ accountNo: accountOf[channel], reportSecret })}`
  const channelReportUrls = Object.fromEntries(calledChannels.map(channel => [channel, reportUrl(channel)]))
  return {
    customer: { username: 'channels', apiKey, reportUrl: null, channelReportUrls },
    accounts: (baseUrl: string): ChannelAccount[] =>
      calledChannels.map(channel => ({
        ...{ accountNo: accountOf[channel], channel, vendorName: 'Nile Channels', senderId: 'NILECREDIT' },
        ...{ endpoint: baseUrl, reportSecret, vendor: channelVendor({ baseUrl, apiKey, channel }) },
      })),
  }
}

/** A demo's vendors, in processes of their own. */
const simulated = async (config: Config, { port, log, program, execArgv, lines }: Place) => {
  const access = demoAccounts.map(one => ({
    ...one,
    apiKey: randomBytes(24).toString('base64url'),
    reportSecret: randomBytes(24).toString('base64url'),
  }))
  const customers = access.map(({ username, apiKey, ...account }) => ({
    username,
    apiKey,
    reportUrl: `http://127.0.0.1:${port}${reportPath(account)}`,
  }))
  const channels = demoChannels(port)
  const shared = { execArgv, callbackUrl: '', log }
  const [[smppPort, sms], [smtpPort, mail]] = await Promise.all([
    onFreePort(0, smpp =>
      startSimulator({
        ...shared,
        name: 'the SMS simulator',
        program: program('sms'),
        env: { CUSTOMERS: JSON.stringify([...customers, channels.customer]), SMPP_PORT: String(smpp) },
        dataDir: path.join(config.dataDir, 'simulator-sms'),
        port: config.smsSimulatorPort,
      }),
    ),
    onFreePort(config.mailSimulatorPort, port =>
      startSimulator({
        ...shared,
        name: 'the mail simulator',
        program: program('mail'),
        env: { SMTP_PORT: String(port) },
        dataDir: path.join(config.dataDir, 'simulator-mail'),
      }),
    ),
  ])
  const vendors: Vendors = {
    mail: smtp({
      url: `smtp://127.0.0.1:${smtpPort}`,
      from: 'Nile Credit <no-reply@nilecredit.example>',
      vendorName: 'mail-sim',
      requireTls: false,
    }),
    sms: access.map(({ accountNo, vendorName, senderId, username, apiKey, reportSecret, ...of }) => {
      const kind = 'kind' in of ? of.kind : 'africas_talking'
      const baseUrl = kind === 'smpp' ? `smpp://127.0.0.1:${smppPort}` : sms.baseUrl
      const vendor = vendorAt(lines, { accountNo, baseUrl, username, apiKey }, demoWords)
      return { accountNo, vendorName, senderId, reportSecret, kind, endpoint: baseUrl, vendor }
    }),
    others: channels.accounts(sms.baseUrl),
  }
  return {
    vendors,
    inbox: { sms: sms.baseUrl, mail: mail.baseUrl },
    stop() {
      sms.stop()
      mail.stop()
    },
  }
}

/** What is set up; what is not is laid into a folder, from which others carry it. */
const real = ({ smtp: mail, sms, channels, dataDir }: Config, lines: SmppLines): Vendors => {
  const folder = path.join(dataDir, 'letters')
  return {
    mail: mail ? smtp(mail) : mailFolder(folder),
    sms: sms.length
      ? sms.map(({ accountNo, vendorName, senderId, reportSecret, ...access }) => ({
          ...{ accountNo, vendorName, senderId, ...(reportSecret ? { reportSecret } : {}) },
          kind: kindAt(access.baseUrl),
          endpoint: access.baseUrl,
          vendor: vendorAt(lines, { accountNo, ...access }),
        }))
      : [smsFolder(folder)],
    others: channels.map(({ channel, senderId, reportSecret, ...access }) => ({
      ...{ accountNo: accountOf[channel], channel, senderId, ...(reportSecret ? { reportSecret } : {}) },
      ...{ vendorName: new URL(access.baseUrl).hostname, endpoint: access.baseUrl },
      vendor: channelVendor({ ...access, channel }),
    })),
  }
}

/** What carries letters and texts: what is set up; a demo without any has simulators of its own, whose record its developer page shows. */
export const openVendors = async (
  config: Config,
  place: Place,
): Promise<{ vendors: Vendors; inbox?: { sms: string; mail: string }; stop(): void }> =>
  config.demo && !config.smtp && config.sms.length === 0
    ? simulated(config, place)
    : { vendors: real(config, place.lines), stop: () => undefined }
