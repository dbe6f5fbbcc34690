using System.Reflection;
using Wire.Tests.Behaviour.Ruled;
using Wire.Tests.OptIn;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Filtering
{
    /// <summary>Each rule of a filter, what it leaves alone, and that a denial wins.</summary>
    public sealed class FilterRuleTests
    {
        private static readonly Serializer Open = new(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });

        private static readonly WireTypeFilter All = Setup.TestTypes;

        [Fact]
        public void Derived_types_are_allowed_also_of_open_generic_ones()
        {
            Expect(WireTypeFilter.Default.AllowDerivedFrom(typeof(Envelope<>)), new TextEnvelope(), true);
            Expect(WireTypeFilter.Default.AllowDerivedFrom(typeof(Envelope<>)), new Envelope<int>(), true);
            Expect(WireTypeFilter.Default.AllowDerivedFrom(typeof(Envelope<>)), new Marked(), false);
            Expect(WireTypeFilter.Default.AllowDerivedFrom<Envelope<string>>(), new TextEnvelope(), true);
            Expect(WireTypeFilter.Default.AllowDerivedFrom<Envelope<int>>(), new TextEnvelope(), false);
            Expect(WireTypeFilter.Default.AllowDerivedFrom(typeof(IBody<>)), new TextEnvelope(), true);
            Expect(WireTypeFilter.Default.AllowDerivedFrom<IBody<int>>(), new TextEnvelope(), false);
            Expect(WireTypeFilter.Default.AllowDerivedFrom<TextEnvelope>(), new LongEnvelope(), true);
            Expect(WireTypeFilter.Default.AllowDerivedFrom(typeof(IBody<>)), new Envelope<Marked>(), false);
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowDerivedFrom(typeof(IEnumerable<>)));
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowDerivedFrom<System.Data.DataSet>());
            Assert.Throws<ArgumentNullException>(() => WireTypeFilter.Default.AllowDerivedFrom(null!));
        }

        [Fact]
        public void Types_with_an_attribute_are_allowed_and_not_those_that_inherit_it()
        {
            WireTypeFilter filter = WireTypeFilter.Default.AllowWithAttribute<MarkAttribute>();
            Expect(filter, new Marked(), true);
            Expect(filter, new Remarked(), true);
            Expect(filter, new UnderMarked(), false);
            Expect(filter, new Hidden(), false);
            Expect(filter, new List<Hidden>(), false);
            Expect(WireTypeFilter.Default.AllowWithAttribute<RemarkAttribute>(), new Marked(), false);
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowWithAttribute<ObsoleteAttribute>());
        }

        [Fact]
        public void A_predicate_allows_what_it_names()
        {
            WireTypeFilter filter = WireTypeFilter.Default.AllowWhere((name, assembly) =>
                assembly == "Wire.Tests" && name is "Wire.Tests.Behaviour.Ruled.Hidden" or "Wire.Tests.Behaviour.Ruled.Envelope`1");
            Expect(filter, new Hidden(), true);
            Expect(filter, new Envelope<Hidden[]>(), true);
            Expect(filter, new Marked(), false);
            Expect(filter, new Envelope<Marked>(), false);
            Assert.Throws<ArgumentNullException>(() => WireTypeFilter.Default.AllowWhere(null!));
        }

        [Fact]
        public void An_allowing_predicate_is_offered_no_type_of_NET()
        {
            _ = typeof(System.Diagnostics.Process).Assembly.GetTypes();
            var offered = new List<string>();
            var serializer = new Serializer(new SerializerOptions
            {
                TypeFilter = WireTypeFilter.Default.AllowWhere((name, assembly) =>
                {
                    lock (offered)
                    {
                        offered.Add(assembly);
                    }

                    return true;
                }),
            });
            foreach (string name in new[]
            {
                "System.Diagnostics.Process, System.Diagnostics.Process",
                "System.Diagnostics.Process",
                "System.Threading.Timer",
                "System.Buffers.ArrayPool`1, System.Private.CoreLib",
            })
            {
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(FilterTests.Named(name)));
            }

            Assert.DoesNotContain(offered, assembly => assembly.StartsWith("System.", StringComparison.Ordinal));
            Assert.Equal(3, ((Hidden)serializer.Deserialize<object>(Open.Serialize(new Hidden { Id = 3 }))!).Id);
        }

        [Theory]
        [InlineData(true)]
        [InlineData(false)]
        public void What_a_predicate_throws_comes_out_as_it_is_and_nothing_is_remembered(bool denies)
        {
            foreach (Exception thrown in new Exception[]
            {
                new InvalidOperationException("mine"),
                new ArgumentException("mine"),
                new NotSupportedException("mine"),
                new FormatException("mine"),
            })
            {
                bool fails = true;
                bool Judge(string name, string assembly) =>
                    fails ? throw thrown : !denies && name.Contains("Hidden", StringComparison.Ordinal);
                foreach (object value in new object[] { new Hidden(), new List<Hidden>(), new Hidden[1], new object[] { new Hidden() } })
                {
                    Serializer serializer = With(denies ? All.DenyWhere(Judge) : WireTypeFilter.Default.AllowWhere(Judge));
                    byte[] payload = Open.Serialize(value);
                    fails = true;
                    Assert.Same(thrown, Record.Exception(() => serializer.Deserialize<object>(payload)));
                    Assert.Same(thrown, Record.Exception(() => serializer.Deserialize<object>(payload)));
                    fails = false;
                    Assert.Equal(value.GetType(), serializer.Deserialize<object>(payload)!.GetType());
                }
            }
        }

        [Fact]
        public void Every_denial_wins_over_every_permission()
        {
            WireTypeFilter[] allowing =
            [
                WireTypeFilter.Unrestricted, All, WireTypeFilter.Default.Allow<Marked>(),
                WireTypeFilter.Default.AllowNamespace("Wire.Tests"),
                WireTypeFilter.Default.AllowDerivedFrom<IMarked>(), WireTypeFilter.Default.AllowWithAttribute<MarkAttribute>(),
                WireTypeFilter.Default.AllowWhere((_, _) => true),
            ];
            Func<WireTypeFilter, WireTypeFilter>[] denying =
            [
                f => f.Deny<Marked>(), f => f.DenyAssembly(typeof(Marked).Assembly), f =>
                    f.DenyNamespace("Wire.Tests.Behaviour.Ruled"), f => f.DenyNamespace("Wire"),
                f => f.DenyDerivedFrom<IMarked>(), f => f.DenyWithAttribute<MarkAttribute>(), f =>
                    f.DenyWhere((name, assembly) => (name, assembly) == ("Wire.Tests.Behaviour.Ruled.Marked", "Wire.Tests")),
            ];
            foreach (WireTypeFilter allow in allowing)
            {
                Expect(allow, new Marked(), true);
                foreach (Func<WireTypeFilter, WireTypeFilter> deny in denying)
                {
                    Expect(deny(allow), new Marked(), false);
                    Expect(deny(WireTypeFilter.Default).Union(allow), new Marked(), false);
                    Expect(allow.Union(deny(WireTypeFilter.Default)), new Marked(), false);
                    var error = Assert.Throws<TypeRefusedException>(
                        () => With(deny(allow)).Deserialize<object>(Open.Serialize(new Marked())));
                    Assert.Equal("Wire.Tests.Behaviour.Ruled.Marked, Wire.Tests", error.TypeName);
                    Assert.Contains("denies", error.Reason, StringComparison.Ordinal);
                }
            }

            Expect(All.DenyNamespace("Wire.Tests.Behaviour.Rule"), new Marked(), true);
            Expect(All.DenyDerivedFrom<Marked>(), new Hidden(), true);
            Expect(All.Deny<Marked>(), new UnderMarked(), true);
        }

        [Fact]
        public void A_union_allows_what_either_allows()
        {
            WireTypeFilter union =
                WireTypeFilter.Default.Allow<Marked>().Union(WireTypeFilter.Default.AllowDerivedFrom(typeof(Envelope<>)));
            Expect(union, new Marked(), true);
            Expect(union, new TextEnvelope(), true);
            Expect(union, new Hidden(), false);
            Assert.Throws<ArgumentNullException>(() => union.Union(null!));
        }

        [Fact]
        public void A_denied_type_is_refused_also_where_the_program_names_it()
        {
            WireTypeFilter deny = WireTypeFilter.Default.Deny<Hidden>();
            byte[] payload = Open.Serialize(new Hidden());
            Assert.Throws<TypeRefusedException>(() => With(deny).Deserialize<Hidden>(payload));
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(new SerializerOptions { TypeFilter = deny.Allow<Hidden>() }).Deserialize<object>(payload));
            var known = new SerializerOptions { KnownTypes = [new(1, typeof(Hidden))] };
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(known with { TypeFilter = deny }).Deserialize<object>(new Serializer(known).Serialize(new Hidden())));
            var aliased = new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Hidden>("hidden") };
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(aliased with { TypeFilter = deny })
                    .Deserialize<object>(new Serializer(aliased).Serialize(new Hidden())));
            var redirected = new SerializerOptions
            {
                TypeFilter = deny,
                TypeAliases = TypeAliases.None.Redirect("Wire.Tests.Behaviour.Ruled.Marked", typeof(Hidden)),
            };
            Assert.Throws<TypeRefusedException>(() => new Serializer(redirected).Deserialize<object>(Open.Serialize(new Marked())));
            var single = new Hidden();
            var singleton = new SerializerOptions { Singletons = [single] };
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(singleton with { TypeFilter = deny })
                    .Deserialize<object>(new Serializer(singleton).Serialize(single)));
        }

        [Theory]
        [InlineData(true, true)]
        [InlineData(true, false)]
        [InlineData(false, true)]
        [InlineData(false, false)]
        public void A_denied_type_is_refused_where_a_variable_declares_it(bool dynamicCode, bool tolerance)
        {
            var options = new SerializerOptions { DynamicCode = dynamicCode, VersionTolerance = tolerance };
            var writer = new Serializer(options);
            var reader = new Serializer(options with { TypeFilter = WireTypeFilter.Default.Deny<Hidden>().Deny<Secret>() });
            Assert.Equal(7, reader.Deserialize<Holder>(writer.Serialize(new Holder { Id = 7 }))!.Id);
            foreach (Holder holder in new Holder[]
            {
                new() { Hidden = new() },
                new() { List = [] },
                new() { Array = [new()] },
                new() { Secrets = [default] },
                new() { Map = new() { [1] = null } },
            })
            {
                byte[] payload = writer.Serialize(holder);
                Assert.NotNull(writer.Deserialize<Holder>(payload));
                Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Holder>(payload));
                Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Holder>(payload));
                Assert.Throws<TypeRefusedException>(() => reader.DeserializeTyped<Holder>(writer.SerializeTyped(holder)));
            }

            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Vault>(writer.Serialize(new Vault())));
            Assert.Throws<TypeRefusedException>(() => reader.DeserializeTyped<Vault>(writer.SerializeTyped(new Vault())));
            Assert.Throws<TypeRefusedException>(() => reader.DeserializeTyped<Secret>(writer.SerializeTyped(new Secret())));
            Assert.Throws<TypeRefusedException>(() => reader.DeserializeTyped<Hidden>(writer.SerializeTyped(new Hidden())));
            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<SecretList>(writer.Serialize(new SecretList())));
            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Secret?>(writer.Serialize<Secret?>(new Secret())));

            // Nobody else's bytes: a copy is the program's own.
            Assert.NotNull(reader.Clone(new Holder { Hidden = new() }).Hidden);
        }

        [Fact]
        public void Every_part_of_a_type_is_denied_on_its_own()
        {
            WireTypeFilter deny = All.Deny<Hidden>();
            foreach (object value in new object[]
            {
                new Envelope<Hidden>(), new Envelope<List<Hidden?[]>>(), new Hidden[1], new Hidden[1, 1], new Hidden[1][],
                new List<Hidden>(), new Dictionary<string, Hidden>(),
                (1, (Hidden?)null), new List<Envelope<Hidden>>(),
            })
            {
                Expect(All, value, true);
                Expect(deny, value, false);
            }

            Expect(All.Deny<Ruled.Outer.Inner>(), new Ruled.Outer(), true);
            Expect(All.Deny<Ruled.Outer.Inner>(), new Ruled.Outer.Inner(), false);
            Expect(WireTypeFilter.Default.Allow<Ruled.Outer>(), new Ruled.Outer.Inner(), false);
            Expect(All.Deny(typeof(Envelope<>)), new Envelope<int>(), false);
            Expect(All.Deny(typeof(Envelope<>)), new TextEnvelope(), true);
            Expect(All.DenyDerivedFrom(typeof(Envelope<>)), new TextEnvelope(), false);
            Expect(All.Deny<Envelope<int>>(), new Envelope<int>(), false);
            Expect(All.Deny<Envelope<int>>(), new Envelope<long>(), true);
            Expect(All.Deny<Hidden[]>(), new Hidden[1], false);
            Expect(All.Deny<Hidden[]>(), new Hidden(), true);
        }

        [Fact]
        public void Both_sides_of_a_surrogate_are_judged()
        {
            var options = new SerializerOptions
            {
                Surrogates = [Surrogate.Create<Route, Stop>(_ => new Stop { Id = 5 }, stop => new Route(() => stop.Id))],
            };
            byte[] payload = new Serializer(options).Serialize<object>(new Route(() => 5));
            Assert.Equal(5, ((Route)new Serializer(options).Deserialize<object>(payload)!).Id);
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(options with { TypeFilter = WireTypeFilter.Default.Deny<Route>() }).Deserialize<object>(payload));
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(options with { TypeFilter = WireTypeFilter.Default.Deny<Stop>() }).Deserialize<object>(payload));
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(options with { TypeFilter = WireTypeFilter.Default.Deny<Stop>() }).Deserialize<Route>(payload));
            Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(payload));
        }

        [Fact]
        public void Types_in_delegates_and_expressions_are_judged()
        {
            SerializerOptions options = new() { AllowDelegates = true, AllowExpressions = true, AllowMemberInfos = true, TypeFilter = All };
            var writer = new Serializer(options);
            Func<Hidden, int> call = Hidden.IdOf;
            System.Linq.Expressions.Expression tree = (System.Linq.Expressions.Expression<Func<Hidden, int>>)(hidden => hidden.Id);
            System.Linq.Expressions.Expression constant = System.Linq.Expressions.Expression.Constant(null, typeof(Hidden[]));
            MethodInfo generic = typeof(Marked).GetMethod(nameof(Marked.Make))!.MakeGenericMethod(typeof(Hidden));
            int captured = call.GetHashCode();
            Func<int> closure = Hidden.Closure(captured);
            foreach (object value in new object[] { call, tree, constant, generic, closure })
            {
                byte[] payload = writer.Serialize(value);
                Assert.NotNull(writer.Deserialize<object>(payload));
                foreach (WireTypeFilter deny
                    in new[] { All.Deny<Hidden>(), All.DenyWhere((name, _) => name.EndsWith(".Hidden", StringComparison.Ordinal)) })
                {
                    var refused = new Serializer(options with { TypeFilter = deny });
                    Assert.Contains(
                        "Hidden",
                        Assert.Throws<TypeRefusedException>(() => refused.Deserialize<object>(payload)).TypeName,
                        StringComparison.Ordinal);
                }
            }
        }

        [Fact]
        public void Types_with_a_tag_are_never_refused_and_others_of_NET_may_be()
        {
            WireTypeFilter deny = WireTypeFilter.Default.DenyNamespace("System").DenyDerivedFrom<object>().DenyWhere((_, _) => true);
            foreach (object value in new object[]
            {
                1,
                "text",
                2.5m,
                Guid.NewGuid(),
                new Uri("http://a"),
                new int[] { 1 },
                new string[] { "a" },
                typeof(int),
                new object(),
            })
            {
                Expect(deny, value, true);
            }

            foreach (object value in new object[]
            {
                new List<int>(),
                (1, 2),
                new Dictionary<int, int>(),
                DayOfWeek.Friday,
                new InvalidOperationException("x"),
                new System.Text.StringBuilder("x"),
            })
            {
                Expect(WireTypeFilter.Default, value, true);
                Expect(deny, value, false);
                Expect(WireTypeFilter.Default.DenyNamespace("System"), value, false);
            }

            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.Deny<string>());
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.Deny<int[]>());
        }

        [Fact]
        public void A_rule_is_about_the_type_and_not_about_the_name_it_is_given()
        {
            Expect(WireTypeFilter.Default.AllowNamespace("Wire.Tests.Behaviour.Ruled"), new Renamed(), true);
            Expect(WireTypeFilter.Default.AllowNamespace("Elsewhere"), new Renamed(), false);
            Expect(All.DenyNamespace("Wire.Tests.Behaviour.Ruled"), new Renamed(), false);
            Expect(WireTypeFilter.Default.AllowDerivedFrom<IMarked>(), new Renamed(), true);
            Expect(WireTypeFilter.Default.AllowWithAttribute<MarkAttribute>(), new Renamed(), true);
            Expect(WireTypeFilter.Default.AllowWhere((name, _) => name == typeof(Renamed).FullName), new Renamed(), true);
        }

        private static Serializer With(WireTypeFilter filter) => new(new SerializerOptions { TypeFilter = filter });

        private static void Expect(WireTypeFilter filter, object value, bool allowed)
        {
            byte[] payload = Open.Serialize(value);
            Serializer serializer = With(filter);
            for (int i = 0; i < 2; i++)
            {
                Exception? failure = Record.Exception(() => serializer.Deserialize<object>(payload));
                Assert.Equal(allowed ? null : typeof(TypeRefusedException), failure?.GetType());
            }
        }
    }
}

#pragma warning disable IDE0130 // Types whose namespaces rules of filters name.
namespace Wire.Tests.Behaviour.Ruled
{
    [AttributeUsage(AttributeTargets.Class)]
    public class MarkAttribute : Attribute;

    public sealed class RemarkAttribute : MarkAttribute;

    public interface IMarked;

    [Mark]
    public class Marked : IMarked
    {
        public int Id;

        public static T? Make<T>() => default;
    }

    [Remark]
    public sealed class Remarked
    {
        public int Id;
    }

    public sealed class UnderMarked : Marked;

    [Mark]
    [WireName("Elsewhere.Renamed")]
    public sealed class Renamed : IMarked
    {
        public int Id;
    }

    public interface IBody<T>;

    public class Envelope<T> : IBody<T>
    {
        public T? Body;
    }

    public class TextEnvelope : Envelope<string>;

    public sealed class LongEnvelope : TextEnvelope;

    public sealed class Hidden
    {
        public int Id;

        public static int IdOf(Hidden hidden) => hidden.Id;

        public static Func<int> Closure(int captured) => () => captured;
    }

    public struct Secret
    {
        public int Code;
    }

    public sealed class Vault
    {
        public Secret Secret;
    }

    public sealed class SecretList : List<Secret>;

    public sealed class Holder
    {
        public int Id;
        public Hidden? Hidden;
        public List<Hidden>? List;
        public Hidden[]? Array;
        public List<Secret>? Secrets;
        public Dictionary<int, Hidden?>? Map;
    }

    public sealed class Route(Func<int> id)
    {
        private readonly Func<int> _id = id;

        public int Id => _id();
    }

    public sealed class Stop
    {
        public int Id;
    }

    public class Outer
    {
        public int Id;

        public sealed class Inner
        {
            public int Id;
        }
    }
}
