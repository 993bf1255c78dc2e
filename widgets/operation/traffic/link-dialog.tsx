import { useRef, useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { base, type OutputOf } from '../../../core/contract/endpoint.ts'
import { channelPath } from '../../../core/contract/operation/launch.ts'
import { type TrafficPersonRow, trafficPerson } from '../../../core/contract/operation/traffic.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { print } from '../../../core/ui/print.ts'
import { QrCode } from '../../../core/ui/qr-code.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { useServerLink } from './parts.tsx'

type Found = OutputOf<typeof trafficPerson.detail>

/** The links of a person, one for each channel they work on: to copy, to print, to read with a camera. */
const Links = ({ found, promoterCode }: { found: Found; promoterCode: string }) => {
  const t = useText()
  const reach = useServerLink()
  const paper = useRef<HTMLDivElement>(null)
  const open = found.channelNumbers.filter(one => one.untilTime === null)
  const [chosen, choose] = useState(open[0]?.channelNo ?? '')
  const channel = open.find(one => one.channelNo === chosen)
  if (!channel) return <Text color="gray">{t('traffic.noChannel')}</Text>
  const link = reach(`${base}${channelPath(channel.promotionChannel, promoterCode)}`)
  return (
    <Flex direction="column" gap="3">
      <Flex gap="3" wrap="wrap" role="group" aria-label={t('fields.promotionChannels')}>
        {open.map(({ channelNo, channelName }) => (
          <label key={channelNo}>
            <input type="radio" name="channel" checked={channelNo === chosen} onChange={() => choose(channelNo)} />{' '}
            {channelName}
          </label>
        ))}
      </Flex>
      <div ref={paper}>
        <Text as="p" size="3">
          {found.realName} · {channel.channelName} · {promoterCode}
        </Text>
        <QrCode text={link} side={168} label={t('traffic.qrOf', { promoterCode })} />
        <Text as="p" size="2" style={{ overflowWrap: 'anywhere' }}>
          {link} <CopyIcon value={link} />
        </Text>
      </div>
      <Flex>
        <Button
          variant="soft"
          onClick={() => paper.current && print(paper.current, found.realName, 'svg{display:block!important}')}
        >
          {t('traffic.print')}
        </Button>
      </Flex>
    </Flex>
  )
}

/** The promotion link of a person. */
export const LinkDialog = ({ rows: [row], close }: DialogProps<TrafficPersonRow>) => {
  const t = useText()
  const read = useRead(trafficPerson.detail, { userNo: row.userNo })
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('traffic.link')}
      description={t('traffic.linkHint', { realName: row.realName })}
      differs={false}
      footer={<DialogCancel />}
    >
      <Loaded read={read}>{found => <Links found={found} promoterCode={row.promoterCode ?? ''} />}</Loaded>
    </ModalDialog>
  )
}
