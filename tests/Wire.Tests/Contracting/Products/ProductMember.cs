namespace Wire.Tests.Contracting.Products;

/// <summary>A program whose class has one member of a type: its contract, and what it writes and reads.</summary>
internal abstract class ProductMember
{
    // More than there are types: no schema is read less well than another.
    private const int MaxSchemas = 1_000;

    /// <summary>The name of the class.</summary>
    public const string Name = "M";

    protected ProductMember(ProductType type) => Type = type;

    public ProductType Type { get; }

    public abstract WireContract Contract { get; }

    /// <summary>The payloads of the type's values.</summary>
    public abstract byte[][] Payloads { get; }

    /// <summary>Reads a payload, and returns what its member holds.</summary>
    public abstract object? Read(byte[] payload);

    public static ProductMember Create(ProductType type, SerializerOptions options) => (ProductMember)Activator.CreateInstance(
        typeof(Member<>).MakeGenericType(type.Type), type, options with { Limits = options.Limits with { MaxSchemas = MaxSchemas } })!;

    private sealed class Member<T> : ProductMember
    {
        private readonly Serializer _serializer;

        public Member(ProductType type, SerializerOptions options)
            : base(type)
        {
            // Classes that stand in a variable of another type are given, as docs/contracts.md says.
            Type[] given =
            [
                .. type.Values.Select(value => value?.GetType()).OfType<Type>()
                    .Where(one => one.IsClass && one.Assembly == typeof(Leaf).Assembly && one != type.Type).Distinct(),
            ];
            _serializer = new(options with
            {
                TypeAliases = TypeAliases.None.Alias<Holder<T>>(Name),
                TypeFilter = given.Aggregate(options.TypeFilter, (filter, one) => filter.Allow(one)),
            });
            Contract = WireContract.Parse(WireContract.From(_serializer, [typeof(Holder<T>), .. given]).ToString());
            Payloads = [.. type.Values.Select(value => _serializer.Serialize(new Holder<T> { X = (T?)value }))];
        }

        public override WireContract Contract { get; }

        public override byte[][] Payloads { get; }

        public override object? Read(byte[] payload) => _serializer.Deserialize<Holder<T>>(payload)!.X;
    }
}
