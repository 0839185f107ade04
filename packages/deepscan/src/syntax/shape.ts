// Questions about the shape of a node that rules of every language ask.
import type { Node } from './parser.ts'

declare const asked: unique symbol

/** A node whose kind was asked for. The mark exists in types only: a node of another kind is still a `Node`. */
export type NodeOfKind = Node & { readonly [asked]: true }

/** Whether the node is there and of one of these kinds. */
export function isKind(node: Node | null | undefined, ...kinds: readonly string[]): node is NodeOfKind {
  return node != null && kinds.includes(String(node.kind()))
}

/** The text of the operator of a binary, unary or assignment expression. */
export function operatorOf(node: Node): string {
  return node.field('operator')?.text() ?? ''
}

/** Whether evaluating the node twice is the same as once: names and chains of members, no calls. */
export function isPlainReference(node: Node | null): boolean {
  if (isKind(node, 'identifier', 'this')) return true
  if (isKind(node, 'member_expression', 'attribute')) return isPlainReference(node.field('object'))
  return false
}

/** The arguments of a call, without brackets, commas and comments. */
export function argumentsOf(call: Node): readonly Node[] {
  const list = call.field('arguments')
  return list === null ? [] : list.namedChildren().filter((child) => !isKind(child, 'comment'))
}

/** The nearest node around this one that has one of the kinds, unless one of `until` comes first. */
export function findEnclosing(node: Node, kinds: readonly string[], until: readonly string[] = []): Node | undefined {
  for (const ancestor of node.ancestors()) {
    if (isKind(ancestor, ...kinds)) return ancestor
    if (isKind(ancestor, ...until)) return undefined
  }
  return undefined
}

/** Whether a node of one of the kinds stands anywhere in this one. */
export function contains(node: Node, ...kinds: readonly string[]): boolean {
  return node.find({ rule: { any: kinds.map((kind) => ({ kind })) } }) !== null
}
