using Microsoft.CodeAnalysis;
using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>What may be in a variable of a base class or an interface is found among the types of the project.</summary>
public sealed class DerivedTests
{
    private const string Types = """
        using System;
        using System.Collections.Generic;
        using Wire;

        [WireContext, WireType(typeof(Order))] partial class Messages : WireTypes;
        struct A { } struct B { } struct C { } struct D { } struct E { } struct F { }

        """;

    [Theory]
    [InlineData("class Order { public Base It; } abstract class Base { A _a; } class One : Base { B _b; } class Other { C _c; }", "AB")]
    [InlineData("class Order { public IOne It; } interface IOne; interface ITwo : IOne; class One : ITwo { B _b; }", "B")]
    [InlineData("class Order { public IOne It; } interface IOne; record struct D1(D It) : IOne; static class Not { static A _a; }", "D")]
    [InlineData("class Order { public object It; } class One { A _a; }", "")]
    [InlineData("class Order { public One It; } sealed class One { A _a; }", "A")]
    [InlineData("class Order { public Exception It; } class Fault : Exception { public A A; }", "A")]
    [InlineData("class Order { public List<int> It; } class Bag : List<int> { public A A; } class Bags : List<string> { B _b; }", "A")]
    [InlineData("class Order { public Func<A> It; [IgnoreMember] public B B; static C _c; }", "")]
    [InlineData("class Order { Base<A> It; } class Base<T>; class X<T> : Base<T> { T _t; B b; } class Y : Base<int> { C _c; }", "AB")]
    [InlineData("class Order { public IOne<A[]> It; } interface IOne<T>; class One<T> : IOne<T[]> { T _t; B _b; }", "AB")]
    [InlineData("class Order { public IOne<A> It; } interface IOne<T>; class One<T> : IOne<T> where T : class { B _b; }", "")]
    [InlineData("class Order { public IOne<A> It; } interface IOne<T>; class X<T> : IOne<T> where T : IComparable<T> { B _b; }", "")]
    [InlineData("class Order { public IOne<int> It; } interface IOne<T>; class X<T> : IOne<T> where T : IComparable<T> { B _b; }", "B")]
    [InlineData("class Order { public IOne<string> It; } interface IOne<T>; class One<T> : IOne<T> where T : new() { B _b; }", "")]
    [InlineData("class Order { public IOut<object> It; } interface IOut<out T>; class One : IOut<string> { B _b; }", "B")]
    [InlineData("class Order { A _a; class Inner { B _b; } Inner _inner; }", "AB")]
    [InlineData("class Order : Base { A _a; } class Base { B _a; }", "AB")]
    [InlineData("class Order(A a) { A Get() => a; }", "A")]
    [InlineData("class Order(A a) { int _b = a.GetHashCode(); }", "")]
    public void Structs_of_members_of_all_that_may_be_there_have_rows(string source, string structs)
    {
        Compiled compiled = Compiled.Of(Types + source);

        compiled.Load();
        Assert.Empty(compiled.Reported.Where(each => each.Severity == DiagnosticSeverity.Error));
        string[] rows = compiled.Rows;
        Assert.Equal(structs, string.Concat("ABCDEF".Where(name => rows.Contains($"Struct<{name}>()"))));
    }
}
