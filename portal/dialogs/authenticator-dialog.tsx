import { useState } from 'react'
import { refresh, useMay, useRead } from '../../core/client/providers.tsx'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { mfa, type Offer } from '../../core/contract/user/mfa.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { BeginBinding, ConfirmBinding } from '../../core/engine/account/authenticator-bind.tsx'
import { RecoveryCodes } from '../../core/engine/account/recovery-codes.tsx'
import sheet from '../../core/engine/engine.css?sheet'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Flex, Text } from '../../core/ui/basics.ts'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { ResetAuthenticator } from './authenticator-reset.tsx'
import { ReadState } from './read-state.tsx'

const Bound = ({ mine }: { mine: OutputOf<typeof mfa.mine> }) => {
  const t = useText()
  const lines = [
    ['mfaStatus', t('dict.MFA_STATUS.bound')],
    ['boundTime', mine.boundTime && eatDateTime(mine.boundTime)],
    ['recoveryLeft', String(mine.recoveryLeft)],
    ['moneyFrom', mine.moneyFrom && eatDateTime(mine.moneyFrom)],
  ] as const
  return (
    <Flex direction="column" gap="2">
      {lines.map(
        ([name, value]) =>
          value && (
            <Text key={name} as="p" size="2">
              <b>{t(`fields.${name}`)}</b>: {value}
            </Text>
          ),
      )}
      <Text as="p" size="1" color="gray">
        {t('shell.authenticatorGone')}
      </Text>
    </Flex>
  )
}

/** The own authenticator: bound here once, shown afterwards, and taken away only by others. */
export const AuthenticatorDialog = ({ close }: { close: () => void }) => {
  useSheet(sheet)
  const t = useText()
  const may = useMay()
  const read = useRead(mfa.mine, {}, { background: true, revalidateOnMount: true })
  const { send, busy } = useCommand()
  const [offer, setOffer] = useState<Offer | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const over = () => {
    setCodes(null)
    setOffer(null)
  }
  return (
    <ModalDialog
      open
      onClose={codes ? undefined : close}
      title={t('shell.authenticator')}
      description={t('shell.authenticatorHint')}
    >
      <ReadState read={read}>
        {mine => {
          if (codes) return <RecoveryCodes codes={codes} kept={over} />
          if (mine.mfaStatus === 'bound') return <Bound mine={mine} />
          if (!offer) return <BeginBinding begun={setOffer} />
          return (
            <ConfirmBinding
              offer={offer}
              drawn={setOffer}
              confirm={code => send(mfa.confirm, { code })}
              refresh={() => send(mfa.refresh, {})}
              busy={busy}
              bound={({ recoveryCodes }) => {
                setCodes(recoveryCodes)
                refresh(mfa.mine)
              }}
            />
          )
        }}
      </ReadState>
      {may.call(mfa.reset) && !codes && (
        <Flex direction="column" mt="5">
          <ResetAuthenticator />
        </Flex>
      )}
    </ModalDialog>
  )
}
