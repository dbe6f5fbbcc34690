using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Format;
using Wire.OptIn;
using Wire.Resolution;
using Wire.Runtime;
using Wire.Surrogates;
using Wire.Types;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Exceptions;
using Wire.ValueSerializers.Forms;

namespace Wire.SerializerFactories;

/// <summary>The value serializers of the library: by the tables of .NET's types, by the options, and of complex types.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class LibrarySource : SerializerSource, INamedTypes
{
    // Options can be made, and their types checked, before there is a serializer to hand the tables over.
    internal static class Start
    {
        [ModuleInitializer]
        [SuppressMessage(
            "Usage", "CA2255:The 'ModuleInitializer' attribute should not be used in libraries", Justification = "It runs nothing.")]
        [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
        [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
        internal static void HandDown()
        {
            var source = new LibrarySource();
            Library = source;
            NamedTypes.Others = source;
        }
    }

    public override BuiltInType[] CreateBuiltInTypes()
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            ClosedTypes.Common = NativeCode.KeepCommon;
        }

        return TaggedTypes.Create();
    }

    public override ValueSerializer CreateVector(ValueSerializer element) => ((IVectorElement)element).CreateVectorSerializer();

    public Type? FindByName(string fullName) => Families.FindByName(fullName) ?? OptIns.FindByName(fullName);

    public bool IsNamed(Type definition) => Families.Find(definition) is not null || OptIns.IsNamed(definition);

    public override ValueSerializer CreateSlot(Type type, TypeRegistry registry) =>
        type == typeof(string) ? StringSerializer.Instance
        : type.IsValueType ? registry.Entry(type).Serializer
        : Families.WholeOf(type) is { } whole && CreateCustom(type, registry) is null
        ? Make(ClosedTypes.Close(typeof(DetailSlot<,>), type, whole), registry.CreateSlot(whole))
        : Make(ClosedTypes.Close(typeof(ReferenceSlot<>), type), registry);

    public override bool IsKept(FieldInfo field, TypeRegistry? registry) => ExceptionDetails.IsKept(field, registry);

    public override ValueSerializer CreateDetailSlot(Type type, TypeRegistry registry) => ExceptionDetails.CreateSlot(type, registry);

    public override ValueSerializer Create(Type type, TypeRegistry registry) => BuiltInFactory.Create(type, registry);

    public override ValueSerializer? CreateCustom(Type type, TypeRegistry registry)
    {
        SerializerOptions options = registry.Options;
        if (IStandIn.Is(type))
        {
            return null;
        }

        if (!options.Singletons.IsEmpty && options.Singletons.FirstOrDefault(instance => instance.GetType() == type) is { } single)
        {
            return Make(ClosedTypes.Close(typeof(SingletonSerializer<>), type), single, null);
        }

        if (options.SurrogateOf(type) is { } surrogate)
        {
            return surrogate.CreateSerializer(type, registry);
        }

        return (options.ValueSerializerFactories.IsEmpty ? null : CreateByFactories(type, registry)) ?? OptIns.Create(type, registry);
    }

    public override ValueSerializer Adopt(Type written, ValueSerializer serializer) =>
        Materialized.CreateSerializer(written, serializer);

    public override Type WrittenAs(Type type, SerializerOptions options)
    {
        if (OptIns.WrittenAs(type, options) is var group && group != type)
        {
            return group;
        }

        return options.ValueSerializerFactories.IsEmpty ? Families.WrittenAs(type) : WrittenAsByFactories(type, options);
    }

    public override Type? CollectionFor(Type variable, Shape layout) => CollectionForms.TypeFor(variable, layout);

    public override string? IsUnsupported(Type type, bool abstractToo = true) => BuiltInFactory.IsUnsupported(type, abstractToo);

    public override IEnumerable<Type> DeclaredMemberTypes(Type type, SerializerOptions options)
    {
        if (type.IsGenericTypeDefinition || type.IsEnum || TagTypes.Contains(type) || Families.Find(type) is not null
            || BuiltInFactory.IsUnsupported(type, abstractToo: false) is not null
            || options.RefusalOfTrimmed(type) is not null)
        {
            return [];
        }

        IEnumerable<Type> members = MemberFinder.Fields(type, options).ConvertAll(member => member.Type);
        return BuiltInFactory.BasePartOf(type) is { } part ? members.Append(part) : members;
    }

    public override Type? BasePartOf(Type type) => BuiltInFactory.BasePartOf(type);

    public override bool IsSerializable(Type type) => SerializableTypes.Contains(type);

    public override bool IsSelfWritten(Type type, TypeRegistry registry) =>
        SerializableTypes.IsSelfWritten(type, CreateCustom(type, registry));

    public override ValueSerializer CreateSurrogate<TSource, TSurrogate>(
        Type type,
        Func<TSource, TSurrogate> to,
        Func<TSurrogate, TSource> from,
        Func<TSurrogate, ConversionCost>? costOf,
        TypeRegistry registry) =>
        SurrogateSerializer.Create(type, to, from, costOf, registry);

    public override void KeepStandIn<TSurrogate>() => NativeCode.KeepStandIn<TSurrogate>();

    public override ValueSerializerFactory CreateCollectionFactory(Type type) => new CollectionFactory(type);

    public override ValueSerializer CreateNotNull(ValueSerializer element) =>
        Make(ClosedTypes.Close(typeof(NullRefusedSerializer<>), element.Type), element);

    public override bool IsException(Shape? schema) => RemoteExceptionSerializer.IsException(schema);

    public override ValueSerializer CreateUnshared(ValueSerializer moved) =>
        Make(ClosedTypes.Close(typeof(UnsharedSerializer<>), moved.Type), moved);

    public override ValueSerializer CreateRemoteException(ValueSerializer inner, string typeName) =>
        new RemoteExceptionSerializer((ValueSerializer<RemoteException>)inner, typeName);

    private static Type WrittenAsByFactories(Type type, SerializerOptions options)
    {
        foreach (LibraryFactory factory in options.ValueSerializerFactories.OfType<LibraryFactory>())
        {
            if (factory.WrittenAs(type) is var written && written != type)
            {
                return written;
            }
        }

        return Families.WrittenAs(type);
    }

    private static ValueSerializer? CreateByFactories(Type type, TypeRegistry registry)
    {
        foreach (ValueSerializerFactory factory in registry.Options.ValueSerializerFactories)
        {
            if (factory is LibraryFactory library)
            {
                if (library.Create(type, registry) is { } known)
                {
                    return registry.Options.RefusalOfTrimmed(type) is { } reason ? throw new UnsupportedTypeException(type, reason) : known;
                }
            }
            else if (factory.Create(type) is { } made)
            {
                if (made.Type != type)
                {
                    throw new InvalidOperationException(
                        $"{factory.GetType()} was asked for a value serializer of {type} and returned one of {made.Type}.");
                }

                return Make(ClosedTypes.Close(typeof(UserSerializer<>), type), made);
            }
        }

        return null;
    }

    private static ValueSerializer Make(Type type, params object?[] arguments) =>
        (ValueSerializer)ClosedTypes.Create(type, arguments);
}
