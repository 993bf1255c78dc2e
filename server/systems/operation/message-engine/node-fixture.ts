import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Fixture } from '../../../../tests/contract/fixture.ts'

const { businessNode, messageTemplates } = contract
let made = 0

/** A node in force with an English text for each of its channels; only it speaks of its event. @returns its number */
export const nodeOf = async (
  fixture: Fixture,
  o: { eventKey: string; contactKind: string; content: string; channels?: readonly string[]; wait?: number },
): Promise<string> => {
  const { eventKey, contactKind, content, channels = ['sms'], wait = 0 } = o
  const ask = async (call: Parameters<Fixture['call']>[0], input: object) =>
    fixture.must(await fixture.call(call, input as never, { as: fixture.boss })) as Record<string, never>
  await fixture.exec(sql`update business_node set deleted_time = ${fixture.clock.now()} where event_key = ${eventKey}`)
  const named = { pointCode: `made.${++made}`, eventKey, contactKind, appCodes: ['BodaCash'] }
  const nodeName = { zh: '节点', en: 'Node', sw: 'Tukio' }
  const channelOrder = channels.map(channelType => ({ channelType, fallbackSeconds: wait }))
  const { key: nodeNo } = await ask(businessNode.save, { ...named, nodeName, channelOrder })
  for (const channelType of channels) {
    const text = { templateName: `Made ${made}`, nodeNo, channelType, contactType: 'self', language: 'en', content }
    const { templateNo, version } = await ask(messageTemplates.save, text)
    await ask(messageTemplates.enable, { templateNo, version })
  }
  await ask(businessNode.state, { nodeNo, enabled: true, version: 0 })
  return String(nodeNo)
}
