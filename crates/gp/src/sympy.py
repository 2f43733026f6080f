# all protections are kept: numbers give the values of evouct, in double precision, infinity and NaN included
import functools
import math

from sympy import Abs, Eq, Float, Function, Max, Min, Piecewise, log, sqrt, symbols


class Exact(Function):
    """A function as evouct computes it. doit() and rewrite(Piecewise) give it over the reals, to simplify or solve."""

    is_extended_real = True

    @classmethod
    def eval(cls, first, *others):
        if isinstance(first, cls) and others:
            return cls(*first.args, *others)
        if all(argument.is_number for argument in (first, *others)):
            return Float(cls._imp_(*map(float, (first, *others))), 17)

    def doit(self, **hints):
        arguments = [argument.doit(**hints) for argument in self.args]
        over_reals = self.over_reals(*arguments)
        return self.func(*arguments) if over_reals.has(Piecewise) else over_reals

    def _eval_rewrite_as_Piecewise(self, *arguments, **hints):
        return self.over_reals(*arguments)

    def _eval_derivative(self, symbol):
        return self.over_reals(*self.args).diff(symbol)


def exact(over_reals):
    def folded(function):
        return lambda first, *others: functools.reduce(function, others, first) if others else function(first)

    def decorate(value):
        def over_numbers(*arguments):
            if not any(getattr(argument, "shape", ()) for argument in arguments):
                return value(*map(float, arguments))
            import numpy
            with numpy.errstate(all="ignore"):
                return numpy.vectorize(value, otypes=[float])(*(numpy.asarray(each, float) for each in arguments))

        members = {"_imp_": staticmethod(folded(over_numbers)), "over_reals": staticmethod(folded(over_reals))}
        return type(Exact)(value.__name__, (Exact,), members)

    return decorate
