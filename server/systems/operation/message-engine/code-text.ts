import type { MessageEvent } from '../../../../core/contract/operation/message-event.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { placesIn } from '../../../../core/rules/message/template-text.ts'
import type { Tx } from '../../../db/database.ts'
import type { Channel, NodeLetter } from '../../../outgoing/post.ts'
import { isOn, nodesOf } from './node-store.ts'
import { templateFor } from './template-choice.ts'

type Asked = {
  scene: string
  channel: Channel
  language: Language
  merchantNo: string | null
  appCode: string | null
}

/**
 * The words of a code as its node has them; without a node, or a text of it in force, the words of the program. What codes say besides
 * themselves is of no merchant, and is filled in here.
 */
export const codeText = async (
  tx: Tx,
  { scene, channel, language, merchantNo, appCode }: Asked,
): Promise<NodeLetter | null> => {
  const [node] = (await nodesOf(tx, `code.${scene}` as MessageEvent)).filter(one =>
    appCode ? isOn(one, appCode) : one.enabled === 'enabled',
  )
  const template = node && (await templateFor(tx, { nodeNo: node.nodeNo, channel, language, merchantNo, appCode }))
  if (!node || !template) return null
  // A code belongs to no customer whose values a text could name.
  if (placesIn(`${template.title ?? ''} ${template.content}`).some(name => !['code', 'life', 'brand'].includes(name)))
    return null
  const { nodeNo, contactKind } = node
  const { templateNo, templateVersion, title, content } = template
  return {
    ...{
      nodeNo,
      contactKind,
      templateNo,
      templateVersion,
      title,
      content,
      occurrence: null,
      channelAt: 0,
      isOwn: true,
    },
    ...{ appCode, merchantNo, customerNo: null, orderNo: null },
  }
}
