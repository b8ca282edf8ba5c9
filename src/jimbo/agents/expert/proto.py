from __future__ import annotations
import math, yaml, itertools, time
from pathlib import Path
from jimbo.engine._core import Run, Action, solve_blind, forecast, best_joker_order, base_score
from jimbo.engine.run_view import view, JokerView, ConsumableView, CardView

CFG = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())

def log_phi(z):
    # log of the normal distribution function
    if z < -5: return -z*z/2 - math.log(-z) - 0.919
    return math.log(0.5*math.erfc(-z/math.sqrt(2)))

SLOT = {"bl_small":0,"bl_big":1}
class Valuer:
    def __init__(self, cfg, nonce):
        self.c=cfg; self.nonce=nonce; self.calls=0; self.rec=None
    def __call__(self, run, worlds=None):
        self.calls+=1
        c=self.c["value"]; fc=self.c["forecast"]
        ante,slot = self.next_blind(run)
        rounds=3-slot+fc["rounds_beyond_boss"]
        f=forecast(run, rounds, worlds or fc["worlds"], self.nonce)
        if not f: return -100.0
        return self.value(run.stake, ante, slot, run.dollars, [(r.log_score,r.target,r.spread,r.dollars) for r in f])
    def value(self, stake, ante, slot, d0, f):
        c=self.c["value"]
        seq=[(ante+(slot+i)//3,(slot+i)%3) for i in range(24) if ante+(slot+i)//3<=8]
        plain=[(i,r[0]) for i,r in enumerate(f) if (slot+i)%3!=2]
        if len(plain)>=2 and plain[-1][0]>plain[0][0]:
            slope=(plain[-1][1]-plain[0][1])/(plain[-1][0]-plain[0][0])
            anchor_i,anchor=plain[-1]
        else:
            slope=0.0; anchor_i,anchor=(plain or [(len(f)-1,f[-1][0])])[-1]
        slope=min(max(0.0,slope),0.4)
        income=(f[-1][3]-d0)/len(f)
        self.rec=dict(ante=ante,slot=slot,d0=d0,f=f); self.stake=stake
        total=0.0; self.z=[]
        for i,(a,s) in enumerate(seq):
            if i<len(f):
                m,t,sd=f[i][0],f[i][1],f[i][2]
                dollars = d0 if i==0 else f[i-1][3]
            else:
                m=anchor+c["slope"]*slope*(i-anchor_i)
                t=math.log(base_score(stake,a)*(1,1.5,2)[s]); sd=0.35
                if s==2: m-=c["boss"]
                dollars=f[-1][3]+c["income"]*income*(i-len(f)+1)
            m+=c["gain"]*i+c["money"]*math.log(1+max(0,dollars)/c["unit"])*(1-math.exp(-i/c["delay"]))
            z=(m-t)/math.sqrt(sd*sd+c["s0"]**2+c["s1"]**2*i)
            self.z.append(z)
            total+=max(c["floor"],log_phi(z))
        return total
    def shifted(self, delta):
        r=self.rec
        return self.value(self.stake,r["ante"],r["slot"],r["d0"],[(m+(delta if i else 0),t,sd,d) for i,(m,t,sd,d) in enumerate(r["f"])])
    @staticmethod
    def next_blind(run):
        return run.ante,("small","big","boss").index(run.on_deck)

class Expert:
    def __init__(self, nonce=1, cfg=CFG, log=None):
        self.cfg=cfg; self.nonce=nonce; self.n=0; self.log=log
        self.queue=[]; self.states=[]
    def say(self,*a):
        if self.log: print(*a)
    def act(self, run):
        """run: the true run; only its redaction is used"""
        w=run.determinize(12345)
        self.n+=1
        if self.queue:
            a=self.queue.pop(0)
            if w.refusal(a) is None: return a
            self.queue=[]
        ph=w.phase
        if ph=="round_eval": return Action("cash_out")
        if ph=="blind_select": 
            o=self.order(w)
            if o: return o
            if self.cfg.get("record"):
                val=Valuer(self.cfg,self.nonce+self.n); val(w)
                self.states.append(dict(val.rec,round=w.round))
            return Action("select_blind")
        if ph=="selecting_hand": return self.hand(w)
        if ph=="shop": return self.shop(w)
        if ph=="pack_opening": return self.pack(w)
        raise RuntimeError(ph)
    def order(self,w):
        order=best_joker_order(w,self.nonce+self.n)
        if order!=list(range(len(order))):
            # first move towards it
            for i,o in enumerate(order):
                if o!=i:
                    a=Action("move_joker",index=o,to=i)
                    return a if w.refusal(a) is None else None
        return None
    def hand(self,w):
        s=self.cfg["solver"]
        o=None
        if w.chips==0: 
            u=self.uses(w)
            if u: return u
        return solve_blind(w,rollouts=s["rollouts"],nonce=self.nonce+self.n,dollar_worth=s["dollar_worth"])[0].action
    def after(self,w,*acts):
        r=w.clone()
        for a in acts:
            if r.refusal(a) is not None: return None
            r.step(a)
        return r
    def uses(self,w):
        """use consumables worth using now"""
        v=view(w)
        best=None
        if not v.consumables: return None
        val=Valuer(self.cfg,self.nonce+self.n)
        base=val(w)
        opts=[]
        for i,c in enumerate(v.consumables):
            for cards in self.targets(v,c):
                a=Action("use",index=i,cards=cards)
                r=self.after(w,a)
                if r is None: continue
                opts.append((val(r)-base,a))
        if not opts: return None
        g,a=max(opts,key=lambda o:o[0])
        self.say("   uses",[(round(g,3),str(a)) for g,a in sorted(opts,key=lambda o:-o[0])[:4]])
        if g>-0.02: return a
        return None
    def targets(self,v,c):
        """sets of hand positions to try a consumable on"""
        lo,hi=c.fact.min_targets,c.fact.max_targets
        if hi==0: return [()]
        hand=v.hand
        if not hand: return []
        n=len(hand)
        idx=list(range(n))
        order={r:i for i,r in enumerate(("2","3","4","5","6","7","8","9","10","J","Q","K","A"))}
        rank=lambda i: order[hand[i].rank]
        plain=[i for i in idx if not hand[i].enhancement and not hand[i].face_down]
        key=c.key
        high=sorted(plain or idx,key=lambda i:-rank(i))
        low=sorted([i for i in idx if not hand[i].enhancement and not hand[i].edition and not hand[i].seal] or idx,key=rank)
        out=[]
        if key in("c_star","c_moon","c_sun","c_world"):
            suit={"c_star":"D","c_moon":"C","c_sun":"H","c_world":"S"}[key]
            oth=[i for i in high if hand[i].suit!=suit]
            out.append(oth[:hi])
        elif key=="c_hanged_man": out.append(low[:hi])
        elif key=="c_strength": out+= [low[:hi],high[1:1+hi]]
        elif key=="c_death":
            for a,b in itertools.combinations(idx,2): 
                if rank(b)>=rank(a): out.append((a,b))
            out=out[:6]
        else:
            out.append(high[:hi])
            if hi==1: out+= [[i] for i in high[1:3]]
            else: out.append(high[1:1+hi])
        res=[]
        for o in out:
            o=tuple(sorted(o))
            if lo<=len(o)<=hi and o not in res: res.append(o)
        return res
    def shop(self,w):
        o=self.order(w)
        if o: return o
        u=self.uses(w)
        if u: return u
        v=view(w); sc=self.cfg["shop"]
        val=Valuer(self.cfg,self.nonce+self.n)
        base=val(w)
        z0=val.z[:4]
        opts=[]   # (gain, actions, text)
        def add(bonus,text,*acts):
            r=self.after(w,*acts)
            if r is None: return
            if r.phase=="pack_opening":
                return
            u=val(r)
            if bonus: u=val.shifted(bonus)
            opts.append((u-base,acts,text))
        worst=None
        need_room=len(v.jokers)>=v.joker_slots or any(isinstance(s.card,JokerView) and s.price<=v.dollars+6 and w.refusal(Action("buy",index=i)) is not None for i,s in enumerate(v.shop))
        if need_room and v.jokers:
            losses=[]
            for j,jk in enumerate(v.jokers):
                r=self.after(w,Action("sell_joker",index=j))
                if r is not None: losses.append((val(r)-base,j))
            losses.sort(reverse=True)
            worst=[j for _,j in losses[:2]]
            if losses and losses[0][0]>sc["threshold"]: opts.append((losses[0][0],(Action("sell_joker",index=losses[0][1]),),"sell "+v.jokers[losses[0][1]].name))
        for i,s in enumerate(v.shop):
            if isinstance(s.card,JokerView):
                buy=Action("buy",index=i)
                if w.refusal(buy) is None: add(0,"buy "+s.card.name,buy)
                elif worst:
                    for j in worst:
                        add(0,f"sell {v.jokers[j].name} buy {s.card.name}",Action("sell_joker",index=j),buy)
            elif isinstance(s.card,ConsumableView):
                a=Action("buy_and_use",index=i)
                add(0,"buy+use "+s.card.name,a)
                if s.card.fact.max_targets>0 :
                    a=Action("buy",index=i)
                    add(sc["tarot"],"buy "+s.card.name,a)
            else: add(0,"buy card "+s.card.name,Action("buy",index=i))
        for i,s in enumerate(v.shop_vouchers):
            add(sc["vouchers"].get(s.fact.key,0),"redeem "+s.fact.name,Action("redeem",index=i))
        for i,b in enumerate(v.boosters):
            a=Action("open_booster",index=i)
            if w.refusal(a) is not None: continue
            r=w.clone(); r.dollars=r.dollars-b.price
            kind=b.fact.kind.lower()
            gain=sc["boosters"][kind]*(1+0.3*(b.fact.cards>3))
            if kind=="buffoon" and len(v.jokers)>=v.joker_slots: gain*=0.5
            val(r)
            opts.append((val.shifted(gain)-base,(a,),"open "+b.fact.name))
        best=max((o[0] for o in opts),default=-1)
        a=Action("reroll")
        if best<=sc["threshold"] and w.refusal(a) is None:
            g=self.reroll_gain(w,v,val,base,worst)
            opts.append((g,(a,),"reroll"))
        opts.sort(key=lambda o:-o[0])
        self.say(f"  ante {v.ante} ${v.dollars} U={base:.2f} z={[round(z,1) for z in z0]}", [(round(o[0],2),o[2]) for o in opts[:6]])
        if opts and opts[0][0]>sc["threshold"]:
            acts=list(opts[0][1]); self.queue=acts[1:]
            return acts[0]
        return Action("leave_shop")
    def reroll_gain(self,w,v,val,base,worst):
        sc=self.cfg["shop"]
        if v.dollars-v.reroll_price<3: return -1
        total=0
        for k in range(sc["reroll_worlds"]):
            r=w.determinize(self.nonce*31+self.n*17+k)
            r.step(Action("reroll"))
            best=val(r,sc["reroll_forecast_worlds"])
            rv=view(r)
            for i,s in enumerate(rv.shop):
                if isinstance(s.card,JokerView): acts=[Action("buy",index=i)]
                elif isinstance(s.card,ConsumableView) and s.card.fact.max_targets==0: acts=[Action("buy_and_use",index=i)]
                else: continue
                x=self.after(r,*acts)
                if x is None and worst: x=self.after(r,Action("sell_joker",index=worst[0]),*acts)
                if x is None: continue
                best=max(best,val(x,sc["reroll_forecast_worlds"]))
            total+=best
        b=val(w,sc["reroll_forecast_worlds"])
        return total/sc["reroll_worlds"]-b
    def pack(self,w):
        v=view(w)
        val=Valuer(self.cfg,self.nonce+self.n)
        base=val(self.after(w,Action("skip_pack")))
        opts=[]
        for i,c in enumerate(v.pack.cards):
            sets=self.targets(v,c) if isinstance(c,ConsumableView) else [()]
            for cards in sets:
                a=Action("pick",index=i,cards=cards)
                r=self.after(w,a)
                if r is None:
                    if isinstance(c,JokerView):
                        for j in range(len(v.jokers)):
                            s=Action("sell_joker",index=j)
                            r=self.after(w,s,a)
                            if r is not None: opts.append((val(r)-base,s,f"sell {v.jokers[j].name} for {c.name}",a))
                    continue
                opts.append((val(r)-base,a,c.name,None))
        opts.sort(key=lambda o:-o[0])
        self.say("   pack",[(round(o[0],2),o[2]) for o in opts[:5]])
        if opts and opts[0][0]>(-0.05 if v.pack.fact.kind.lower() in("celestial",) else 0.0):
            if opts[0][3] is not None: self.queue=[opts[0][3]]
            return opts[0][1]
        return Action("skip_pack")
