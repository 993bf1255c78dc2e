import type { MenuIconName } from '../../../core/contract/user/menu.ts'
import { MenuDrawing } from '../../../core/engine/menu-drawing.tsx'

/** The drawing of each system, where nobody chose another one. */
const plain: Readonly<Record<string, MenuIconName>> = {
  'mkopo-portal-home': 'home',
  AuditSystem: 'review',
  AfterLoanSystem: 'money',
  CollectionSystem: 'phone',
  CustomerServiceSystem: 'headset',
  TelemarketingSystem: 'megaphone',
  OperationSystem: 'sliders',
  MarketingManagement: 'tag',
  MerchantSystem: 'shop',
  LoanSupermarketSystem: 'cart',
  RiskControlSystem: 'shield',
  ReportSystem: 'chart',
  QualitySystem: 'medal',
  ScheduleManage: 'calendar',
  AppraisalSystem: 'star',
  ChargeToAnAccountSystem: 'receipt',
  UserSystem: 'people',
  CollectionSystemNew: 'phone',
}

type Props = { node: { menuNo: string; icon: string | null }; name: string }

/** What stands for a node of the menu where there is no room for its name: its drawing, else the first letter. */
export const MenuIcon = ({ node, name }: Props) => {
  const drawing = node.icon ?? plain[node.menuNo]
  if (!drawing) return <b aria-hidden="true">{[...name][0]}</b>
  return <MenuDrawing name={drawing} size={18} />
}
