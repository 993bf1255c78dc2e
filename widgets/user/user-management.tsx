import { useRead } from '../../core/client/providers.tsx'
import { type DeptNode, dept } from '../../core/contract/user/dept.ts'
import { useText } from '../../core/element/i18n.ts'
import { Panes } from '../../core/engine/config/panes.tsx'
import { type Screen, screen } from '../../core/engine/screen.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { listOf } from './user-management/people-list.tsx'

const all = listOf('')
const made = new Map<string, Screen>([['', all]])
const screenOf = (deptNo: string): Screen => {
  const found = made.get(deptNo) ?? listOf(deptNo)
  made.set(deptNo, found)
  return found
}

/** Every department with how far down it stands. */
const placed = (nodes: readonly DeptNode[], level = 0): { node: DeptNode; level: number }[] =>
  nodes.flatMap(node => [{ node, level }, ...placed(node.childList, level + 1)])

const ByDepartment = () => {
  const t = useText()
  const read = useRead(dept.tree, { of: 'people' }, { follows: true })
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  if (!read.data) return <Loading rows={8} />
  const top = read.data.list
  return (
    <Panes
      by="deptNo"
      label={t('people.departments')}
      parts={[
        { name: '', label: t('people.allDepartments'), count: top.reduce((sum, node) => sum + node.userCountBelow, 0) },
        ...placed(top).map(({ node, level }) => ({
          name: node.deptNo,
          label: `${'\u2003'.repeat(level)}${node.deptName}`,
          hint: node.deptName,
          count: node.userCountBelow,
        })),
      ]}
      screenOf={({ name }) => screenOf(name)}
    />
  )
}

/** Administrators and team leads take people in, give them their place and roles, and stop them at once when something is wrong. */
export default screen([...all.calls, dept.tree], () => <ByDepartment />)
