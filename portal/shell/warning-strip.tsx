import { useNavigate } from 'react-router-dom'
import { useRead } from '../../core/client/providers.tsx'
import { builtPages } from '../../core/contract/page-table.ts'
import { warning } from '../../core/contract/portal/warning.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button, Text } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { useLeave } from './leaving.tsx'

const path = builtPages.find(route => route.name === 'WarningNotify')?.path ?? ''

/** Warnings that the reader may deal with, as they are by now. */
export const useAlert = (ready: boolean) =>
  useRead(warning.alert, ready ? {} : null, { background: true, refreshInterval: 60_000 }).data

/** A critical warning below the header, until somebody takes it on. */
export const WarningStrip = ({ ready }: { ready: boolean }) => {
  const t = useText()
  const navigate = useNavigate()
  const leave = useLeave()
  const critical = useAlert(ready)?.critical
  if (!critical) return null
  const { count, title, warningNo } = critical
  const query = new URLSearchParams(count > 1 ? {} : { warningNo, open: warningNo })
  return (
    <div className="mk-strip" data-tone="bad" role="alert">
      <Icon name="warning" />
      <Text size="2">{count > 1 ? t('warning.stripMany', { n: count, title }) : t('warning.strip', { title })}</Text>
      <Button size="1" variant="soft" color="red" onClick={() => leave(() => navigate(`${path}?${query}`))}>
        {t('warning.open')}
      </Button>
    </div>
  )
}
