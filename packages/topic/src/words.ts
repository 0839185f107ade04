/** The words of sender names: three lists of 64, so that a name carries 18 bits. */
export const adjectives =
  words(`able apt bold brave brief brisk busy calm clear clever crisp curious deft eager early easy even exact fair fast
fine firm fleet frank free fresh gentle glad good grand handy hardy honest humble keen kind light lively loyal
lucky merry mild modest neat nimble noble patient plain polite prompt proud pure quick quiet ready sharp smooth
sober solid steady sunny swift wise witty`)

export const colours =
  words(`almond amber apricot ash azure beige birch brass bronze cedar chalk cherry cinder clay cobalt copper coral cream
crimson denim dune ebony fern flint ginger golden granite hazel honey indigo ivory jade lemon lilac lime linen
maple marble mint moss mustard navy ochre olive onyx opal peach pearl pine plum rose ruby russet rust saffron
sage sand scarlet silver slate teal tin umber walnut`)

export const animals =
  words(`badger bat beaver bee bison boar buzzard carp cat cod crab crane cricket crow deer dingo dove duck eagle eel
egret elk falcon ferret finch fox frog gecko goat goose grouse gull hare hawk heron ibex jay kestrel lark lemur
lion lynx magpie marten mole moose moth newt otter owl panda pike puffin quail rabbit raven robin salmon seal
shrew stork swan toad wren`)

function words(text: string): readonly string[] {
  return text.split(/\s+/)
}
