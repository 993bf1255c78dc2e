import { useText } from '../../core/element/i18n.ts'
import { dictText } from '../../core/i18n/plain.ts'
import { Choose } from '../../core/ui/choose/choose.tsx'
import { Labelled } from '../../core/ui/labelled.tsx'

type Version = { versionNo: string; versionStatus: string }
type Props = { list: readonly Version[]; chosen: Version; choose: (versionNo: string) => void }

/** Which version of an item is looked at. */
export const VersionChoice = ({ list, chosen, choose }: Props) => {
  const t = useText()
  const options = list.map(({ versionNo, versionStatus }) => ({
    value: versionNo,
    label: `${dictText(t, 'CONFIG_VERSION_STATUS', versionStatus)} · ${versionNo}`,
  }))
  return (
    <Labelled label={t('fields.versionNo')}>
      {tied => (
        <Choose
          tied={tied}
          label={t('fields.versionNo')}
          options={options}
          value={[chosen.versionNo]}
          single
          onChange={([next]) => next && choose(next)}
          words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
        />
      )}
    </Labelled>
  )
}
