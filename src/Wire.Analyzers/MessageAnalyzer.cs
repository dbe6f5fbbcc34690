using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Messages;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers;

/// <summary>
/// Looks at the types that the program gives to Wire, and at those that these lead to: a class that nobody gives to Wire is no message.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MessageAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [Rules.MemberNeverWritten, Rules.ValueNeverWritten, Rules.Overlap, Rules.CapturedParameter, Rules.RequiredMembersMissing];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Wire.Serializer") is null)
            {
                return;
            }

            var options = new UsedOptions();
            var roots = new MessageRoots(options);
            var made = new MadeOptions();
            var captured = new ConcurrentDictionary<IParameterSymbol, bool>(SymbolEqualityComparer.Default);
            start.RegisterSymbolAction(symbol => roots.Look((INamedTypeSymbol)symbol.Symbol), SymbolKind.NamedType);
            start.RegisterOperationAction(call => roots.Look((IInvocationOperation)call.Operation), OperationKind.Invocation);
            start.RegisterOperationAction(
                assignment => roots.Look((ISimpleAssignmentOperation)assignment.Operation), OperationKind.SimpleAssignment);
            start.RegisterOperationAction(use => Look(use, captured), OperationKind.ParameterReference);
            start.RegisterOperationAction(
                operation => made.Look(operation.Operation), OperationKind.ObjectCreation, OperationKind.With);
            start.RegisterCompilationEndAction(end =>
            {
                Report(end, options, roots, captured.Keys);
                Report(end, options, roots, made);
            });
        });
    }

    // The parameter of a type, which is used outside of its constructor and of what that initializes.
    private static void Look(OperationAnalysisContext context, ConcurrentDictionary<IParameterSymbol, bool> captured)
    {
        IParameterSymbol parameter = ((IParameterReferenceOperation)context.Operation).Parameter;
        if (parameter.ContainingSymbol is IMethodSymbol { MethodKind: MethodKind.Constructor } constructor
            && context.ContainingSymbol is IMethodSymbol user
            && !SymbolEqualityComparer.Default.Equals(user, constructor)
            && constructor.DeclaringSyntaxReferences.Any(each => each.GetSyntax(context.CancellationToken) is TypeDeclarationSyntax))
        {
            captured[parameter] = true;
        }
    }

    private static void Report(
        CompilationAnalysisContext context, UsedOptions options, MessageRoots roots, IEnumerable<IParameterSymbol> captured)
    {
        var refused = new RefusedTypes(options);
        ImmutableArray<MessageRoot> given = roots.List();
        foreach (MessageRoot root in given)
        {
            if (root.Place is { } place && !options.IsReplaced(root.Type) && refused.Find(root.Type) is var (reason, remedy))
            {
                string call = root.By.Substring(0, root.By.IndexOf('<'));
                context.ReportDiagnostic(Diagnostic.Create(Rules.ValueNeverWritten, place, call, root.Type.Shown(), reason, remedy));
            }
        }

        var seen = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        ILookup<ISymbol, IParameterSymbol> kept = captured.ToLookup<IParameterSymbol, ISymbol>(
            parameter => parameter.ContainingType.OriginalDefinition, SymbolEqualityComparer.Default);
        foreach ((INamedTypeSymbol type, string path) in new MessageWalk(context.Compilation, options).Through(given))
        {
            foreach (WrittenMember member in WrittenMember.Of(type))
            {
                if (!member.IsBuffer && Refused(member.Type, refused, options) is var (reason, remedy)
                    && seen.Add(member.Face.OriginalDefinition)
                    && member.Face.Locations.FirstOrDefault(place => place.IsInSource) is { } place)
                {
                    context.ReportDiagnostic(Diagnostic.Create(
                        Rules.MemberNeverWritten, place, $"{type.Name}.{member.Face.Name}", reason, remedy, path));
                }
            }

            foreach ((WrittenMember first, WrittenMember second, string reason) in Overlaps.Of(type))
            {
                if (seen.Add(second.Face.OriginalDefinition))
                {
                    context.ReportDiagnostic(Diagnostic.Create(
                        Rules.Overlap, second.Face.Locations[0], first.Face.Name, second.Face.Name, reason, path));
                }
            }

            foreach (IParameterSymbol parameter in kept[type.OriginalDefinition].OrderBy(each => each.Ordinal))
            {
                if (seen.Add(parameter))
                {
                    context.ReportDiagnostic(
                        Diagnostic.Create(Rules.CapturedParameter, parameter.Locations[0], parameter.Name, type.Name));
                }
            }
        }
    }

    // At the options, since one setting is for all messages.
    private static void Report(CompilationAnalysisContext context, UsedOptions options, MessageRoots roots, MadeOptions made)
    {
        if (options.SaysOfMissing || options.RefusesMissing || made.List() is not { IsEmpty: false } places
            || context.Compilation.IsOfTests()
            || RequiredMembers.Of(roots.List(), new MessageWalk(context.Compilation, options)) is not { IsEmpty: false } members)
        {
            return;
        }

        WrittenMember first = members[0];
        string name = $"'{first.Face.ContainingType.Name}.{first.Face.Name}'";
        string all = members.Length switch
        {
            1 => name,
            2 => $"{name}, or another one,",
            _ => $"{name}, or one of {members.Length - 1} others,",
        };
        foreach (Location place in places)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                Rules.RequiredMembersMissing,
                place,
                members.Select(member => member.Face.Locations[0]),
                all,
                options.UsesConstructors ? "as its constructor does" : members.Length == 1 ? first.Unset : "null or zero"));
        }
    }

    // Of a member, or of the elements of one.
    private static (string Reason, string Remedy)? Refused(ITypeSymbol type, RefusedTypes refused, UsedOptions options)
    {
        if (options.IsReplaced(type))
        {
            return null;
        }

        if (refused.Find(type) is { } found)
        {
            return found;
        }

        foreach (ITypeSymbol part in MessageWalk.PartsOf(type))
        {
            if (Refused(part, refused, options) is var (reason, remedy))
            {
                return ($"it holds {part.Shown()}: {reason}", remedy);
            }
        }

        return null;
    }
}
