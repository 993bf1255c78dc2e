import { useHost } from '../element/context.ts'
import { useText } from '../element/i18n.ts'
import { Empty } from '../ui/states.tsx'

/** The caller may not use this screen at all. */
export const Forbidden = () => {
  const t = useText()
  return <Empty title={t('common.forbidden')} hint={t('common.forbiddenHint')} />
}

/** The token is gone; a host gives a new one, the portal has its sign-in page. */
export const SignedOut = () => {
  const t = useText()
  const { props } = useHost()
  return <Empty title={t('common.signedOut')} hint={props.token ? t('common.signedOutHint') : t('common.noToken')} />
}
