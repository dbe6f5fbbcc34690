using System.Reflection;
using System.Text;
using Wire.Tests.Behaviour.Apart;
using Xunit;

namespace Wire.Tests.Behaviour.Filtering
{
    /// <summary>Which types a payload may name.</summary>
    public class FilterTests
    {
        // Part of the runtime, and used by nothing here.
        private const string NotLoaded = "Microsoft.VisualBasic.Core";

        private static readonly Serializer Open = new(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });

        [Fact]
        public void The_root_and_its_members_by_declaration_are_allowed()
        {
            var serializer = new Serializer();
            Assert.Equal(1, serializer.RoundTrip(new Leaf { Id = 1 }).Id);
            Assert.Equal(3, serializer.RoundTrip(
                new Bag { Leaf = new Leaf { Id = 3 }, Things = [new Leaf(), new Point(), Color.Blue, new Rich[1]] }).Leaf!.Id);
        }

        [Fact]
        public void Interfaces_of_collections_are_allowed_as_arguments()
        {
            var serializer = new Serializer();
            var lists = Assert.IsType<List<IReadOnlyList<int>>>(
                serializer.Deserialize<object>(serializer.Serialize(new List<IReadOnlyList<int>> { new[] { 1, 2 } })));
            Assert.Equal([1, 2], Assert.IsType<int[]>(Assert.Single(lists)));
            byte[] denied = serializer.Serialize(new List<IReadOnlyList<Leaf>> { new[] { new Leaf() } });
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(denied));

            // No value is of one.
            byte[] named = Named("System.Collections.Generic.IReadOnlyList`1[[System.Int32, System.Private.CoreLib]]");
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(named));
            var denying = new SerializerOptions { TypeFilter = WireTypeFilter.Default.Deny(typeof(IReadOnlyList<>)) };
            byte[] empty = serializer.Serialize(new List<IReadOnlyList<int>>());
            Assert.Throws<TypeRefusedException>(() => new Serializer(denying).Deserialize<object>(empty));
        }

        [Fact]
        public void Nothing_else_is()
        {
            var serializer = new Serializer();
            byte[] payload = serializer.Serialize(new Bag { Animals = [new Cat()] });
            var error = Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Bag>(payload));
            Assert.Equal(WireFormatError.TypeRefused, error.Error);
            Assert.Equal("Wire.Tests.Behaviour.Cat, Wire.Tests", error.TypeName);
            Assert.Contains("WireTypeFilter.Default.Allow<Cat>()", error.Remedy, StringComparison.Ordinal);
            Assert.Contains(error.Remedy, error.Message, StringComparison.Ordinal);
            Assert.Equal("Animals[0]", error.MemberPath);
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(serializer.Serialize(new Leaf())));
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Animal>(serializer.Serialize<Animal>(new Cat())));
        }

        [Fact]
        public void Each_way_of_allowing_allows_that_and_no_more()
        {
            byte[] cat = Open.Serialize(new Cat());
            byte[] apart = Open.Serialize(new Alone());
            byte[] deeper = Open.Serialize(new Apart.Deeper.Alone());
            byte[] sibling = Open.Serialize(new Apartment.Alone());
            WireTypeFilter none = WireTypeFilter.Default;
            Expect(none, cat, false);
            Expect(none.Allow<Cat>(), cat, true);
            Expect(none.Allow<Dog>(), cat, false);
            Expect(none.AllowDerivedFrom<Animal>(), cat, true);
            Expect(none.AllowDerivedFrom<Dog>(), cat, false);
            Expect(none.AllowAssembly(typeof(Cat).Assembly), cat, true);
            Expect(none.AllowAssembly(typeof(Serializer).Assembly), cat, false);
            Expect(none.AllowNamespace("Wire.Tests.Behaviour.Apart"), cat, false);
            Expect(none.AllowNamespace("Wire.Tests.Behaviour.Apart"), apart, true);
            Expect(none.AllowNamespace("Wire.Tests.Behaviour.Apart"), deeper, true);
            Expect(none.AllowNamespace("Wire.Tests.Behaviour.Apart"), sibling, false);
            Expect(none.AllowDerivedFrom<Dog>().Allow<Cat>(), cat, true);
            Expect(WireTypeFilter.Unrestricted, cat, true);
        }

        [Fact]
        public void Filters_that_are_too_wide_cannot_be_made()
        {
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowNamespace("System"));
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowNamespace("System.IO"));
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowNamespace(" "));
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowAssembly(typeof(object).Assembly));
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowDerivedFrom<object>());
            Assert.Throws<ArgumentException>(() => WireTypeFilter.Default.AllowDerivedFrom<IDisposable>());
        }

        [Fact]
        public void Arguments_and_elements_are_judged_on_their_own()
        {
            WireTypeFilter filter = WireTypeFilter.Default.Allow<Leaf>().Allow(typeof(Box<>));
            Expect(filter, Open.Serialize(new List<Leaf>()), true);
            Expect(filter, Open.Serialize(new Leaf[1]), true);
            Expect(filter, Open.Serialize(new Box<Leaf>()), true);
            Expect(filter, Open.Serialize(new List<Cat>()), false);
            Expect(filter, Open.Serialize(new Cat[1][,]), false);
            Expect(filter, Open.Serialize(new Box<Cat>()), false);
            Expect(filter, Open.Serialize(new Dictionary<string, List<Box<Cat?[]>>>()), false);
            Expect(WireTypeFilter.Default.Allow<Leaf>(), Open.Serialize(new Box<Leaf>()), false);
        }

        [Theory]
        [InlineData("System.IO.FileInfo, System.Private.CoreLib")]
        [InlineData("System.Diagnostics.Process, System.Diagnostics.Process")]
        [InlineData("System.Threading.Thread, System.Private.CoreLib")]
        [InlineData("System.IO.FileStream, System.Private.CoreLib")]
        [InlineData("System.Action, System.Private.CoreLib")]
        [InlineData("System.Collections.Generic.List`1[[System.IO.FileInfo, System.Private.CoreLib]]")]
        [InlineData("System.Security.Claims.ClaimsPrincipal, System.Security.Claims")]
        [InlineData("System.Reflection.RuntimeMethodInfo, System.Private.CoreLib")]
        public void Gadgets_stay_refused(string name)
        {
            _ = typeof(System.Diagnostics.Process).Assembly.GetTypes().Length +
                typeof(System.Security.Claims.ClaimsPrincipal).Assembly.GetTypes().Length;
            Assert.Throws<TypeRefusedException>(() => Open.Deserialize<object>(Named(name)));
            Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(Named(name)));
        }

        [Fact]
        public void Nothing_is_loaded_because_a_payload_says_so()
        {
            var events = new List<string>();
            void Note(string? name)
            {
                if (name?.Contains("VisualBasic", StringComparison.Ordinal) == true
                    || name?.Contains("Evil", StringComparison.Ordinal) == true)
                {
                    lock (events)
                    {
                        events.Add(name);
                    }
                }
            }

            Assembly? OnResolve(object? sender, ResolveEventArgs e)
            {
                Note(e.Name);
                return null;
            }

            void OnLoad(object? sender, AssemblyLoadEventArgs e) => Note(e.LoadedAssembly.FullName);
            AppDomain.CurrentDomain.AssemblyLoad += OnLoad;
            AppDomain.CurrentDomain.AssemblyResolve += OnResolve;
            AppDomain.CurrentDomain.TypeResolve += OnResolve;
            try
            {
                Serializer[] serializers =
                [
                    new(),
                    Open,
                    new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowNamespace("Evil").AllowDerivedFrom<Animal>() }),
                ];
                foreach (Serializer serializer in serializers)
                {
                    foreach (string name in new[]
                    {
                        $"Microsoft.VisualBasic.ErrObject, {NotLoaded}",
                        "Evil.Type, Evil.Assembly",
                        $"Evil.Type, {NotLoaded}",
                        "Evil.Type",
                        "Evil.Type, Wire.Tests",
                    })
                    {
                        var error = Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<object>(Named(name)));
                        Assert.Contains(error.Error, new[] { WireFormatError.TypeRefused, WireFormatError.TypeNotFound });
                        Assert.ThrowsAny<WireFormatException>(
                            () => serializer.Deserialize<object>(Named($"System.Collections.Generic.List`1[[{name}]]")));
                    }
                }
            }
            finally
            {
                AppDomain.CurrentDomain.AssemblyLoad -= OnLoad;
                AppDomain.CurrentDomain.AssemblyResolve -= OnResolve;
                AppDomain.CurrentDomain.TypeResolve -= OnResolve;
            }

            // Another test may have loaded it before: UnloadedNameTests begins where nothing is.
            Assert.Empty(events);
        }

        [Theory]
        [InlineData("Wire.Tests.Behaviour.Leaf, Other")]
        [InlineData("Wire.Tests.Behaviour.Leaf, System.Private.CoreLib")]
        [InlineData("Wire.Tests.Behaviour.Leaf")]
        [InlineData("Wire.Tests.Behaviour.leaf, Wire.Tests")]
        public void A_type_is_its_assembly_too(string name) =>
            Assert.Throws<TypeRefusedException>(
                () => new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Leaf>() })
                    .Deserialize<object>(Named(name)));

        [Theory]
        [InlineData("")]
        [InlineData(" ")]
        [InlineData("[")]
        [InlineData("]")]
        [InlineData("[]")]
        [InlineData(",")]
        [InlineData("A,")]
        [InlineData("System.Int32&")]
        [InlineData("System.Int32*")]
        [InlineData("System.Int32&[]")]
        [InlineData("System.Int32*[]")]
        [InlineData("System.Void")]
        [InlineData("System.Collections.Generic.List`1")]
        [InlineData("System.Collections.Generic.List`1[[System.Void]]")]
        [InlineData("System.Collections.Generic.List`1[[System.Int32],[System.Int32]]")]
        [InlineData("System.Collections.Generic.List`1[[System.Int32")]
        [InlineData("System.Nullable`1[[System.String]]")]
        [InlineData("System.Nullable`1[[System.Nullable`1[[System.Int32]]]]")]
        [InlineData("System.Int32[,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,]")]
        [InlineData("System.Int\\32, \\[Wire")]
        [InlineData("System.Int32\0")]
        [InlineData("Wire.Tests.Behaviour.Leaf, Wire.Tests, Version=9.9.9.9, Culture=xx, PublicKeyToken=0123456789abcdef")]
        public void Names_that_are_no_types_are_format_errors(string name)
        {
            foreach (Serializer serializer in new[] { new(), Open, Setup.Serializer(true) })
            {
                // A serializer that allows everything may find the last one: then its schema does not fit.
                Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<object>(Named(name)));
            }
        }

        [Fact]
        public void Enormous_names_are_format_errors()
        {
            foreach (string name in new[]
            {
                new string('A', 20_000),
                string.Concat(Enumerable.Repeat("System.Collections.Generic.List`1[[", 130)) + "System.Int32" + new string(']', 260),
                "System.Int32" + string.Concat(Enumerable.Repeat("[]", 1500)),
                new string('+', 3000),
                new string('\\', 3000),
            })
            {
                Assert.ThrowsAny<WireFormatException>(() => Open.Deserialize<object>(Named(name)));
            }
        }

        [Fact]
        public void What_one_root_allows_another_does_not()
        {
            var serializer = new Serializer();
            byte[] payload = serializer.Serialize(new Leaf { Id = 3 });
            using SerializerSession writing = serializer.GetSerializerSession();
            using DeserializerSession reading = serializer.GetDeserializerSession();
            byte[] first = serializer.Serialize(new Leaf { Id = 3 }, writing);
            byte[] second = serializer.Serialize(new Leaf { Id = 4 }, writing);
            for (int i = 0; i < 3; i++)
            {
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
                Assert.Equal(3, serializer.Deserialize<Leaf>(payload)!.Id);
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Node>(payload));
                Assert.Equal(3, serializer.Deserialize<Leaf>(payload)!.Id);
            }

            Assert.Equal(3, serializer.Deserialize<Leaf>(first, reading)!.Id);
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(second, reading));
            Assert.Equal(4, serializer.Deserialize<Leaf>(second, reading)!.Id);
        }

        [Fact]
        public void A_type_of_another_position_is_a_mismatch()
        {
            byte[] payload = Setup.Serializer(true).Serialize(new Leaf());
            var error = Assert.Throws<WireFormatException>(() => Setup.Serializer(true).Deserialize<Poco>(payload));
            Assert.Equal(WireFormatError.TypeMismatch, error.Error);
        }

        internal static byte[] Named(string name)
        {
            byte[] utf8 = Encoding.UTF8.GetBytes(name);
            using var stream = new MemoryStream();
            using var writer = new BinaryWriter(stream);
            writer.Write((byte)0x10);
            writer.Write((byte)0x02);
            int header = utf8.Length << 1;
            writer.Write7BitEncodedInt(utf8.Length + (header < 0x80 ? 1 : header < 0x4000 ? 2 : 3) + 3);
            writer.Write7BitEncodedInt(header);
            writer.Write(utf8);
            // A schema of no members, and a value of them.
            writer.Write([1, 0x44, 0]);
            writer.Write((byte)0);
            return stream.ToArray();
        }

        private static void Expect(WireTypeFilter filter, byte[] payload, bool allowed)
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            Exception? failure = Record.Exception(() => serializer.Deserialize<object>(payload));
            Assert.Equal(allowed ? null : typeof(TypeRefusedException), failure?.GetType());
        }
    }
}

#pragma warning disable IDE0130 // Types whose namespaces rules of filters name.
namespace Wire.Tests.Behaviour.Apart
{
    public sealed class Alone;
}

namespace Wire.Tests.Behaviour.Apart.Deeper
{
    public sealed class Alone;
}

namespace Wire.Tests.Behaviour.Apartment
{
    public sealed class Alone;
}
