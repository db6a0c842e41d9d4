import type * as v from 'valibot'
import type { IsIncluded, IsShown, Simplify, ValueOf } from './field-types.ts'
import type { Level } from './fields.ts'
import type { KINDS, KindName } from './index.ts'

type FieldsOf<K extends KindName> = (typeof KINDS)[K]['fields']

/** What a view shows of a field. */
type ViewValue<F> = F extends {
  readonly is: infer Is
  readonly kind: infer K extends KindName
  readonly shows: infer S extends Level
}
  ? Is extends 'views'
    ? readonly NamedView<K, S>[]
    : NamedView<K, S> | null
  : F extends {
        readonly is: 'derived' | 'loaded'
        readonly response: v.GenericSchema<unknown, infer T>
      }
    ? T
    : ValueOf<F>

/** The view of a kind at a level. A list item has the fields that its query includes. */
export type ViewOf<K extends KindName, L extends Level> = Simplify<
  {
    readonly [F in keyof FieldsOf<K> as IsShown<FieldsOf<K>[F], L> extends true ? F : never]: ViewValue<
      FieldsOf<K>[F]
    >
  } & (L extends 'item'
    ? {
        readonly [F in keyof FieldsOf<K> as IsIncluded<FieldsOf<K>[F]> extends true ? F : never]?: ViewValue<
          FieldsOf<K>[F]
        >
      }
    : L extends 'detail'
      ? {
          readonly [F in keyof FieldsOf<K> as FieldsOf<K>[F] extends { readonly onlyIncluded: true }
            ? F
            : never]?: ViewValue<FieldsOf<K>[F]>
        }
      : unknown)
>

type NamedView<K extends KindName, L extends Level> = K extends keyof NamedViews
  ? L extends keyof NamedViews[K]
    ? NamedViews[K][L]
    : ViewOf<K, L>
  : ViewOf<K, L>

/** The names of views that other views have. */
interface NamedViews {
  readonly attachments: { readonly item: AttachmentView }
  readonly companies: { readonly summary: CompanySummary }
  readonly deals: { readonly summary: DealSummary }
  readonly lists: { readonly summary: ListSummary }
  readonly lost_reasons: { readonly reference: LostReasonReference }
  readonly members: { readonly reference: Owner }
  readonly people: { readonly summary: PersonSummary }
  readonly pipelines: { readonly reference: NamedReference }
  readonly products: { readonly summary: ProductSummary }
  readonly stages: { readonly item: StageView; readonly reference: StageReference }
  readonly tags: { readonly summary: TagView }
  readonly task_types: { readonly summary: TaskTypeView }
  readonly tasks: { readonly summary: NextTask }
}

/** An activity as `crm.activities.list` returns it, without its attachments. */
export interface ActivityItem extends ViewOf<'activities', 'item'> {}
/** An activity as `crm.activities.get`, `create` and `update` return it. */
export interface ActivityDetail extends ViewOf<'activities', 'detail'> {}
/** An attachment of an activity. Its content is at `url`, or read by `crm.files.read`. */
export interface AttachmentView extends ViewOf<'attachments', 'item'> {}
/** A company as people, deals and tasks embed it. */
export interface CompanySummary extends ViewOf<'companies', 'summary'> {}
/** A company as `crm.companies.list` returns it. */
export interface CompanyItem extends ViewOf<'companies', 'item'> {}
/** A company as `crm.companies.get`, `create` and `update` return it, with its tags and lists. */
export interface CompanyDetail extends ViewOf<'companies', 'detail'> {}
/** A custom field as `crm.customFields` returns it. */
export interface CustomFieldView extends ViewOf<'custom_fields', 'detail'> {}
/** A deal as tasks embed it. */
export interface DealSummary extends ViewOf<'deals', 'summary'> {}
/** A deal as `crm.deals.list` returns it. */
export interface DealItem extends ViewOf<'deals', 'item'> {}
/** A deal as `crm.deals.get`, `create` and `update` return it, with its tags and lists. */
export interface DealDetail extends ViewOf<'deals', 'detail'> {}
/** A list in the view of a record. */
export interface ListSummary extends ViewOf<'lists', 'summary'> {}
/** A list as `crm.lists` returns it. */
export interface ListView extends ViewOf<'lists', 'detail'> {}
/** A line item of a deal, as `crm.deals.items` returns it. */
export interface LineItemView extends ViewOf<'deal_items', 'item'> {}
/** An offer of a deal, as `crm.deals.offers.list` returns it: without its lines. */
export interface OfferListView extends ViewOf<'deal_offers', 'item'> {}
/** An offer of a deal, as `crm.deals.offers` returns it. */
export interface OfferView extends ViewOf<'deal_offers', 'detail'> {}
/** The reason for which a deal was lost, also a deleted one. */
export interface LostReasonReference extends ViewOf<'lost_reasons', 'reference'> {}
/** A reason for which deals are lost, as `crm.lostReasons` returns it. */
export interface LostReasonView extends ViewOf<'lost_reasons', 'detail'> {}
/** A notification, as `crm.notifications` returns it. */
export interface NotificationView extends ViewOf<'notifications', 'item'> {}
/** A pipeline or a deal, where its name is enough. */
export interface NamedReference extends ViewOf<'pipelines', 'reference'> {}
/** The workspace member responsible for a record. Views have null for nobody and for a removed member. */
export interface Owner extends ViewOf<'members', 'reference'> {}
/** A current member of a workspace, as `crm.members.list` and `operator.membersOf` return it. */
export interface MemberView extends ViewOf<'members', 'item'> {}
/** A person as deals and tasks embed it. */
export interface PersonSummary extends ViewOf<'people', 'summary'> {}
/** A person as `crm.people.list` returns it. */
export interface PersonItem extends ViewOf<'people', 'item'> {}
/** A person as `crm.people.get`, `create` and `update` return it, with tags, lists and company. */
export interface PersonDetail extends ViewOf<'people', 'detail'> {}
/** A pipeline as `crm.pipelines` returns it. */
export interface PipelineView extends ViewOf<'pipelines', 'detail'> {}
/** A product as `crm.products.list` returns it. */
export interface ProductItem extends ViewOf<'products', 'item'> {}
/** A product as `crm.products.get`, `create` and `update` return it. */
export interface ProductView extends ViewOf<'products', 'detail'> {}
/** A product as line items embed it. */
export interface ProductSummary extends ViewOf<'products', 'summary'> {}
/** The stage of a deal. */
export interface StageReference extends ViewOf<'stages', 'reference'> {}
/** A stage, in the view of its pipeline. */
export interface StageView extends ViewOf<'stages', 'item'> {}
/** A tag, as `crm.tags` returns it and as people, companies and deals embed it. */
export interface TagView extends ViewOf<'tags', 'summary'> {}
/** The open task of a deal that is due first. Tasks without a due date come last, the oldest first. */
export interface NextTask extends ViewOf<'tasks', 'summary'> {}
/** What a member is to win in a month, as `crm.targets` returns it. */
export interface TargetView extends ViewOf<'targets', 'item'> {}
/** A task as `crm.tasks.list` returns it, with the records it refers to. */
export interface TaskItem extends ViewOf<'tasks', 'item'> {}
/** A task as `crm.tasks.get`, `create` and `update` return it, with the records it refers to. */
export interface TaskView extends ViewOf<'tasks', 'detail'> {}
/** A type of tasks, as `crm.taskTypes` returns it and as tasks embed it. */
export interface TaskTypeView extends ViewOf<'task_types', 'summary'> {}
/** A saved view, as `crm.views` returns it. */
export interface SavedViewItem extends ViewOf<'views', 'item'> {}
/** A team, as `crm.teams` returns it. */
export interface TeamView extends ViewOf<'teams', 'summary'> {}
