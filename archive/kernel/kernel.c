/* Exact search of endings with all cards open: what can the side of the seat on turn get at best?

   The kernel knows cards as bits, the duty to follow suit, who takes a trick, and two special cards: a Pagat that
   its announcer must hold back, and a Fool that may be withheld and is then dead. It knows no prices. They come as
   a table: nine ways in which a deal can end (`ending_of`), each with the price for every number of card points.
   `tarock/analysis/kernel_task.py` writes the input and reads the output; `tarock/analysis/endings.py` explains
   the method. Deals without these cards' rules are out of its reach. */

typedef unsigned long long u64;
typedef unsigned u32;

enum { SEATS = 8, CARDS = 64, WAYS = 9, POINTS = 128, BITS = 18, NEVER = 1 << 20 };
enum { TAROCKS = 4, PAGAT = 1, FOOL = 2 };
enum { OK, LIMIT };

/* The cards are numbered from the highest of each suit down, the tarocks last. */
static int suit_of[CARDS], value_of[CARDS], units_of[CARDS], code_of[CARDS], owner_of[CARDS], count;
static u64 suits[5], beats[CARDS], pagat, fool;
static int seats, own, together, hold, withhold;

typedef struct {
    u64 hand[SEATS], live, trick, led; /* live: in a hand or on the table */
    int played, seat, best, winner;    /* winner: -1 before the first card and behind a dead Fool */
    int left, units, won, dead, ultimo, least[2];
} Position;

typedef struct {
    u64 key, check;
    int low, high;
    signed char card, left;
} Entry;

static Entry table[1 << BITS];
static u32 mask, nodes, most;
static int stopped;

/* For the price that is asked for: what each way to end needs and, by the state of the flags, the bounds of these
   needs and their shape. Positions of the same shape differ by `base` only. */
static int need[WAYS];
static struct { int base, low, high; u64 shape; } of_flags[8];

static int lowest, points, prices[WAYS][POINTS], distinct[WAYS * POINTS], prices_count;

int input[2048], output[256];

static u64 bit(int card) { return 1ull << card; }
static int first(u64 cards) { return __builtin_ctzll(cards); }
static int mine(int seat) { return own >> seat & 1; }

static u64 mix(u64 x) {
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
}

/* ---- rules ---- */

static int may_withhold(const Position *p) {
    u64 hand = p->hand[p->seat];
    return withhold && p->led && p->seat != p->dead && (hand & suits[TAROCKS]) == fool && fool && hand != fool &&
           !(hand & p->led & ~suits[TAROCKS]);
}

static u64 playable(const Position *p) {
    u64 hand = p->hand[p->seat], cards;
    if (p->seat == p->dead && hand & fool && hand != fool) {
        hand ^= fool;
        return hand & p->led ? hand & p->led : hand;
    }
    if (may_withhold(p)) return hand;
    cards = !p->led ? hand : hand & p->led ? hand & p->led : hand & suits[TAROCKS] ? hand & suits[TAROCKS] : hand;
    return cards & pagat && p->seat == hold && cards != pagat ? cards ^ pagat : cards;
}

/* The trick goes to its winner. A dead Fool goes back to its side for the lowest card of the side's tricks. */
static void end_trick(Position *p) {
    int winner = p->winner, side = mine(winner), gain = 0, low = 9;
    for (u64 rest = p->trick; rest; rest &= rest - 1) {
        gain += units_of[first(rest)];
        if (value_of[first(rest)] < low) low = value_of[first(rest)];
    }
    if (side) p->units += gain;
    if (withhold && p->trick & fool && p->dead >= 0 && mine(p->dead) != side && p->least[!side])
        p->units += (side ? -1 : 1) * (value_of[first(fool)] - p->least[!side]);
    if (!p->least[side] || low < p->least[side]) p->least[side] = low;
    p->won |= side ? 1 : 2;
    if (p->left == 1 && p->trick & pagat) p->ultimo = owner_of[first(pagat)] == winner ? 1 : 2;
    p->live &= ~p->trick;
    p->trick = p->led = 0;
    p->played = 0;
    p->left--;
    p->seat = winner;
    p->winner = -1;
}

static void put(Position *p, int card) {
    int dead_fool = p->seat == p->dead && bit(card) == fool;
    if (bit(card) != fool && may_withhold(p)) p->dead = p->seat;
    if (!dead_fool && p->winner < 0) p->led = suits[suit_of[card]];
    if (!dead_fool && (p->winner < 0 || bit(card) & beats[p->best])) p->best = card, p->winner = p->seat;
    p->hand[p->seat] ^= bit(card);
    p->trick |= bit(card);
    p->seat = p->seat + 1 == seats ? 0 : p->seat + 1;
    if (++p->played == seats) end_trick(p);
}

static int flags_of(const Position *p) { return p->won | (p->live & pagat ? 4 : 0); }

/* Pagat in the last trick (no, won by its player, lost) and whose tricks they all are (nobody's, ours, theirs). */
static int ending_of(int ultimo, int won) { return 3 * ultimo + (won == 3 ? 0 : won); }

static int possible(int flags, int way) {
    int sweep = way % 3, won = flags & 3;
    return (way < 3 || flags & 4) && (!sweep || !(won & ~sweep));
}

/* ---- search ---- */

static int units_for(int number) { return together * number - (together > 1); }

static void ask(int price) {
    for (int way = 0; way < WAYS; way++) {
        int number = 0;
        while (number < points && prices[way][number] < price) number++;
        need[way] = number == points ? NEVER : number ? units_for(lowest + number) : -NEVER;
    }
    for (int flags = 0; flags < 8; flags++) {
        int base = 0, low = NEVER, high = -NEVER, found = 0;
        u64 shape = 0;
        for (int way = 0; way < WAYS; way++) {
            if (!possible(flags, way)) continue;
            if (need[way] < low) low = need[way];
            if (need[way] > high) high = need[way];
            if (!found && need[way] < NEVER && need[way] > -NEVER) base = need[way], found = 1;
        }
        for (int way = 0; way < WAYS; way++) {
            int there = possible(flags, way), free = need[way] == NEVER || need[way] == -NEVER;
            shape = mix(shape + 1 + (u64)(u32)(!there ? 2 * NEVER : free ? need[way] : need[way] - base));
        }
        of_flags[flags].base = base, of_flags[flags].low = low, of_flags[flags].high = high;
        of_flags[flags].shape = shape;
    }
}

/* Two hashes of the position: who holds the cards of each suit in order, in whatever suit if it is a plain one. */
static void keys_of(const Position *p, int flags, u64 *key, u64 *check) {
    u64 plain = 0, plain2 = 0, sequence = 0, sequence2 = 0;
    for (int suit = 0; suit < 5; suit++) {
        sequence = sequence2 = 1;
        for (u64 rest = p->live & suits[suit]; rest; rest &= rest - 1) {
            int code = code_of[first(rest)];
            sequence = (sequence + code) * 0xd6e8feb86659fd93ull;
            sequence2 = (sequence2 ^ code) * 0xa0761d6478bd642full;
            sequence ^= sequence >> 32;
            sequence2 ^= sequence2 >> 29;
        }
        if (suit < TAROCKS) plain += mix(sequence), plain2 += mix(sequence2);
    }
    u64 rest = p->seat | flags << 3;
    if (withhold && p->live & fool) rest |= (p->dead + 1) << 6 | p->least[0] << 10 | p->least[1] << 13;
    *key = mix(mix(plain + 3 * sequence) + rest + of_flags[flags].shape);
    *check = mix(mix(plain2 + 5 * sequence2) ^ rest ^ 7 * of_flags[flags].shape);
}

/* The choices without cards that are equal to a higher one, promising ones first. */
static int choices(const Position *p, int hint, int *cards) {
    u64 hand = p->hand[p->seat], others = p->live & ~hand, against = 0;
    int side = mine(p->seat), before = -1, number = 0, ranks[CARDS];
    for (int seat = 0; seat < seats; seat++)
        if (mine(seat) != side) against |= p->hand[seat];
    for (u64 rest = playable(p); rest; rest &= rest - 1) {
        int card = first(rest), rank, at, last = before;
        before = card;
        if (last >= 0 && suit_of[card] == suit_of[last] && value_of[card] == value_of[last] &&
            !((bit(card) | bit(last)) & (pagat | fool)) && !(others & (bit(card) - bit(last))))
            continue;
        if (p->winner < 0) rank = beats[card] & against ? value_of[card] : -value_of[card];
        else if (mine(p->winner) == side) rank = -value_of[card];
        else rank = bit(card) & beats[p->best] ? -9 : value_of[card];
        if (card == hint) rank = -99;
        for (at = number++; at && ranks[at - 1] > rank; at--) ranks[at] = ranks[at - 1], cards[at] = cards[at - 1];
        ranks[at] = rank, cards[at] = card;
    }
    return number;
}

/* What the side needs here for the price that is asked for: at least as many units if that is more than it has,
   at most as many otherwise. */
static int visit(const Position *p) {
    int flags = 0, cards[CARDS], number, hint = -1, ours = mine(p->seat), best = ours ? NEVER : -NEVER;
    u64 key = 0, check = 0;
    Entry *entry = 0;
    if (!p->played) {
        if (!p->left) return need[ending_of(p->ultimo, p->won)];
        int sure = 0, rest = 0;
        flags = flags_of(p);
        for (u64 cards = p->live; cards; cards &= cards - 1) rest += units_of[first(cards)];
        /* The leader can take a trick with each of the highest tarocks. */
        for (u64 cards = p->live & suits[TAROCKS] & ~(p->dead < 0 ? 0 : fool);
             cards && p->hand[p->seat] & cards & -cards; cards &= cards - 1)
            sure += units_of[first(cards)] + seats - 1;
        number = of_flags[flags].high - (ours ? sure : 0);
        if (number <= p->units) return number;
        number = of_flags[flags].low - (ours ? rest : rest - sure);
        if (number > p->units) return number;
        if (p->left > 1) {
            keys_of(p, flags, &key, &check);
            entry = &table[key & mask];
            if (entry->key != key || entry->check != check) entry = &table[(key & mask) ^ 1];
            if (entry->key == key && entry->check == check) {
                int base = of_flags[flags].base;
                if (entry->high + base <= p->units) return entry->high + base;
                if (entry->low + base > p->units) return entry->low + base;
                hint = entry->card;
            } else entry = 0;
        }
    }
    number = choices(p, hint, cards);
    hint = cards[0];
    for (int n = 0; n < number; n++) {
        Position child = *p;
        if (++nodes == most) stopped = 1;
        if (stopped) return best;
        put(&child, cards[n]);
        int found = visit(&child) + p->units - child.units;
        if (ours ? found < best : found > best) best = found, hint = cards[n];
        if (stopped || ours == (best <= p->units)) break;
    }
    if (stopped || !key) return best;
    int base = of_flags[flags].base;
    /* The search below may have put another position in the place of this one. */
    if (!entry || entry->key != key || entry->check != check) {
        entry = &table[key & mask];
        if (entry->left > p->left && entry->key != key) entry = &table[(key & mask) ^ 1];
        entry->key = key, entry->check = check, entry->low = -2 * NEVER, entry->high = 2 * NEVER;
    }
    entry->left = p->left, entry->card = hint;
    if (best <= p->units) {
        if (best - base < entry->high) entry->high = best - base;
    } else if (best - base > entry->low) entry->low = best - base;
    return best;
}

static int reaches(const Position *p, int number) {
    if (number >= prices_count) return 0;
    ask(distinct[number]);
    return visit(p) <= p->units;
}

/* The number of the price that a position is worth. `below`: one that it does not reach. */
static int worth(const Position *p, int number, int below) {
    int low = 0, stride = 1;
    while (low + 1 < below && !stopped) {
        if (number <= low) number = low + 1;
        if (number >= below) number = below - 1;
        if (reaches(p, number)) low = number, number += stride;
        else below = number, number -= stride;
        stride *= 2;
    }
    return low;
}

/* ---- input and output ---- */

static void read(Position *p, int *guess) {
    int *in = input, trick, at;
    *p = (Position){.best = 0, .winner = -1};
    seats = in[0], own = in[1], p->seat = in[2], trick = in[3], p->left = in[4], p->units = in[5], together = in[6];
    p->won = in[7], hold = in[8], withhold = in[9], at = in[10], p->least[1] = in[11], p->least[0] = in[12];
    *guess = in[13], count = in[14], lowest = in[15], points = in[16];
    in += 17;
    p->seat = (p->seat + seats - trick) % seats;
    p->dead = at;
    for (int card = 0; card < count; card++, in++) {
        suit_of[card] = in[0] & 7, value_of[card] = in[0] >> 3 & 7, owner_of[card] = in[0] >> 8;
        units_of[card] = together * value_of[card] - (together - 1);
        code_of[card] = (in[0] >> 3 | owner_of[card] << 5) + 1;
        if ((in[0] >> 6 & 3) == PAGAT) pagat = bit(card);
        if ((in[0] >> 6 & 3) == FOOL) fool = bit(card);
        suits[suit_of[card]] |= bit(card);
        p->live |= bit(card);
        p->hand[owner_of[card]] |= bit(card);
    }
    for (int card = 0; card < count; card++)
        beats[card] = (suits[suit_of[card]] & (bit(card) - 1)) | (suit_of[card] == TAROCKS ? 0 : suits[TAROCKS]);
    for (int n = 0; n < trick; n++) put(p, *in++);
    for (int way = 0; way < WAYS; way++)
        for (int number = 0; number < points; number++) {
            int price = prices[way][number] = *in++;
            if (!possible(flags_of(p), way)) continue;
            for (at = prices_count; at && distinct[at - 1] > price; at--) {}
            if (at && distinct[at - 1] == price) continue;
            for (int n = prices_count++; n > at; n--) distinct[n] = distinct[n - 1];
            distinct[at] = price;
        }
}

/* Solve the position in `input`, with a table of 2^bits entries and at most so many cards played. */
int solve(int bits, u32 limit) {
    Position p;
    int guess, top, *out = output + 2, cards[CARDS];
    mask = (1u << bits) - 1, most = limit, nodes = 0, stopped = 0;
    read(&p, &guess);
    int number = 0;
    while (number + 1 < prices_count && distinct[number] < guess) number++;
    top = worth(&p, number, prices_count);
    *out++ = __builtin_popcountll(playable(&p));
    for (u64 rest = playable(&p); rest; rest &= rest - 1) {
        Position child = p;
        put(&child, first(rest));
        *out++ = first(rest);
        *out++ = distinct[worth(&child, top, top + 1)];
    }
    while (p.left && !stopped) {
        int choice = 0, last = choices(&p, -1, cards) - 1;
        Position child;
        for (;; choice++) {
            child = p;
            put(&child, cards[choice]);
            if (choice == last || (mine(p.seat) ? reaches(&child, top) : !reaches(&child, top + 1))) break;
        }
        *out++ = cards[choice];
        p = child;
    }
    output[0] = stopped ? LIMIT : OK;
    output[1] = nodes;
    return out - output;
}

int *input_place(void) { return input; }
int *output_place(void) { return output; }
