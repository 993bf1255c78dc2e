import { useState } from 'react'
import { useHost } from '../element/context.ts'
import { useText } from '../element/i18n.ts'
import { Button } from '../ui/basics.ts'
import { Empty } from '../ui/states.tsx'

/** The token is gone; a host gives a new one, by itself or when asked to, and the portal has its sign-in page. */
export const SignedOut = ({ reconnect }: { reconnect?: () => Promise<void> }) => {
  const t = useText()
  const { props } = useHost()
  const [tried, setTried] = useState<'no' | 'now' | 'failed'>('no')
  const hint = props.token ? t('common.signedOutHint') : t('common.noToken')
  const press = () => {
    setTried('now')
    reconnect?.().catch(() => setTried('failed'))
  }
  return (
    <div role="alert">
      <Empty
        title={t('common.signedOut')}
        hint={tried === 'failed' ? t('common.reconnectFailed') : reconnect ? undefined : hint}
        action={
          reconnect && (
            <Button loading={tried === 'now'} onClick={press}>
              {t('common.reconnect')}
            </Button>
          )
        }
      />
    </div>
  )
}
