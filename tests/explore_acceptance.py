"""Where each acceptance example of exploration is tested: the row, and its tests."""

WHERE: dict[str, tuple[str, ...]] = {
    "A1": ("test_server_explore_acceptance::test_a_contract_out_of_bounds_is_refused_by_the_tool",),
    "A2": ("test_server_explore_acceptance::test_a_contract_out_of_bounds_is_refused_by_the_tool",),
    "A3": (
        "test_server_explore_acceptance::test_a3_a_contract_without_stalls_and_revisions_is_accepted",
    ),
    "A4": ("test_server_explore_acceptance::test_a_contract_out_of_bounds_is_refused_by_the_tool",),
    "A5": ("test_server_explore_acceptance::test_a_contract_out_of_bounds_is_refused_by_the_tool",),
    "A6": (
        "test_server_explore_acceptance::test_a6_a_contract_file_that_is_missing_is_no_default",
    ),
    "A7": ("test_server_explore_acceptance::test_a_contract_out_of_bounds_is_refused_by_the_tool",),
    "A8": (
        "test_server_explore_acceptance::test_a8_a_server_of_two_bases_of_one_id_does_not_start",
    ),
    "A9": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A10": ("test_server_explore::test_files_that_disagree_on_the_id_close_a_base",),
    "A11": ("test_index_ladder::test_an_excerpt_is_a_prefix_cut_at_a_line",),
    "A12": ("test_index_ladder::test_an_excerpt_is_a_prefix_cut_at_a_line",),
    "A13": ("test_index_ladder::test_an_excerpt_is_a_prefix_cut_at_a_line",),
    "A14": ("test_server_explore::test_the_catalogue_counts_and_holds_no_text",),
    "A15": ("test_server_explore::test_the_catalogue_counts_and_holds_no_text",),
    "A16": (
        "test_server_explore_acceptance::test_a16_ten_thousand_documents_cost_the_catalogue_no_more_than_ten",
    ),
    "A17": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A18": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A19": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A20": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A21": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A22": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A23": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A24": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A25": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A26": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A27": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A28": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A29": ("test_server_explore_rules::test_a_link_is_never_followed",),
    "A30": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A31": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A32": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A33": ("test_server_explore_rules::test_a33_a_broken_block_that_reads_as_a_verdict_is_one",),
    "A34": ("test_server_explore::test_a_foreign_dimension_is_refused_without_its_name",),
    "A35": ("test_server_explore::test_a_foreign_dimension_is_refused_without_its_name",),
    "A36": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A37": (
        "test_server_explore_acceptance::test_a37_a_file_that_may_not_be_read_is_an_error_and_no_refusal",
    ),
    "A38": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A39": ("test_server_explore::test_a_call_that_never_ended_proves_nothing",),
    "A40": (
        "test_server_explore_acceptance::test_a40_a43_to_a45_a48_a_declaration_is_what_the_document_says",
    ),
    "A41": (
        "test_server_explore_acceptance::test_a41_a42_a46_a47_only_what_was_read_among_others_is_declared",
    ),
    "A42": (
        "test_server_explore_acceptance::test_a41_a42_a46_a47_only_what_was_read_among_others_is_declared",
    ),
    "A43": (
        "test_server_explore_acceptance::test_a40_a43_to_a45_a48_a_declaration_is_what_the_document_says",
    ),
    "A44": (
        "test_server_explore_acceptance::test_a40_a43_to_a45_a48_a_declaration_is_what_the_document_says",
    ),
    "A45": (
        "test_server_explore_acceptance::test_a40_a43_to_a45_a48_a_declaration_is_what_the_document_says",
    ),
    "A46": (
        "test_server_explore_acceptance::test_a41_a42_a46_a47_only_what_was_read_among_others_is_declared",
    ),
    "A47": (
        "test_server_explore_acceptance::test_a41_a42_a46_a47_only_what_was_read_among_others_is_declared",
    ),
    "A48": (
        "test_server_explore_acceptance::test_a40_a43_to_a45_a48_a_declaration_is_what_the_document_says",
    ),
    "A49": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A50": ("test_server_explore_acceptance::test_reading_is_answered_as_the_examples_say",),
    "A51": (
        "test_server_explore_acceptance::test_a51_a52_the_check_answers_over_the_tool_as_worked",
    ),
    "A52": (
        "test_server_explore_acceptance::test_a51_a52_the_check_answers_over_the_tool_as_worked",
    ),
    "A53": (
        "test_server_explore_acceptance::test_a53_a_baseline_that_breaks_a_rule_is_unreadable_and_never_missing",
    ),
    "A54": ("test_server_explore_acceptance::test_a54_to_a56_a_hypothesis_is_whole_and_routed",),
    "A55": ("test_server_explore_acceptance::test_a54_to_a56_a_hypothesis_is_whole_and_routed",),
    "A56": ("test_server_explore_acceptance::test_a54_to_a56_a_hypothesis_is_whole_and_routed",),
    "A57": ("test_server_explore_magentic::test_a_marked_line_that_is_no_hypothesis_ends_the_run",),
    "A58": ("test_server_explore_magentic::test_marked_lines_are_kept_declared_or_not",),
    "A59": (
        "test_server_explore::test_what_cannot_be_explored_is_refused_before_anything_is_spent",
        "test_server_explore_magentic::test_an_expert_approach_without_a_base_stops_the_start",
    ),
    "A60": ("test_server_explore::test_a_mandate_has_the_experts_first_and_each_hypothesis_once",),
    "A61": (
        "test_server_explore_magentic::test_a61_one_hypothesis_by_tool_and_by_line_is_one_approach",
    ),
    "A62": ("test_server_explore_acceptance::test_a62_a63_a79_moves_have_their_moment",),
    "A63": ("test_server_explore_acceptance::test_a62_a63_a79_moves_have_their_moment",),
    "A64": ("test_server_explore::test_rounds_without_progress_make_a_new_plan_due",),
    "A65": ("test_server_explore::test_a_run_ends_by_counts_and_flags",),
    "A66": (
        "test_server_explore::test_a_run_ends_by_counts_and_flags",
        "test_server_explore_magentic::test_an_unknown_speaker_is_asked_for_three_times_and_ends_the_run",
    ),
    "A67": ("test_server_explore::test_a_run_ends_by_counts_and_flags",),
    "A68": ("test_server_explore::test_a_run_ends_by_counts_and_flags",),
    "A69": ("test_server_explore::test_rounds_that_run_out_leave_no_mandate",),
    "A70": ("test_server_explore::test_a_run_ends_by_counts_and_flags",),
    "A71": (
        "test_server_explore_acceptance::test_a71_no_text_of_a_message_says_how_a_run_ends",
        "test_server_explore_magentic::test_a_loop_reads_declares_commits_and_ends_with_a_mandate",
    ),
    "A72": ("test_server_explore::test_a_reply_costs_a_quarter_of_its_bytes",),
    "A73": (
        "test_server_explore_acceptance::test_a73_the_call_that_passes_the_cap_is_charged_and_not_delivered",
    ),
    "A74": (
        "test_server_explore_acceptance::test_a74_a_revise_beyond_the_cap_is_kept_and_not_applied",
    ),
    "A75": ("test_server_explore::test_only_two_lines_are_answers_and_silence_is_none",),
    "A76": (
        "test_server_explore::test_only_two_lines_are_answers_and_silence_is_none",
        "test_server_explore_magentic_parked::test_silence_at_the_terminal_approves_nothing",
    ),
    "A77": (
        "test_server_explore::test_only_two_lines_are_answers_and_silence_is_none",
        "test_server_explore_records::test_the_question_is_the_whole_suspended_run",
    ),
    "A78": ("test_server_explore_magentic_parked::test_a_plan_has_exactly_one_door",),
    "A79": ("test_server_explore_acceptance::test_a62_a63_a79_moves_have_their_moment",),
    "A80": ("test_server_explore_magentic_parked::test_without_a_checkpoint_nothing_is_parked",),
    "A81": ("test_server_explore::test_the_parked_state_is_believed_only_as_it_was_written",),
    "A82": (
        "test_server_explore_rules::test_there_is_no_third_answer",
        "test_server_explore::test_the_inbox_takes_an_answer_and_reports_what_is_none",
    ),
    "A83": ("test_server_explore_records::test_an_answer_counts_once",),
    "A84": (
        "test_server_explore_magentic_parked::test_what_was_spent_before_the_park_is_spent",
        "test_server_explore::test_what_was_spent_before_a_park_stays_spent",
    ),
    "A85": (
        "test_server_explore_acceptance::test_a85_a_document_read_before_a_park_counts_after_it",
    ),
    "A86": (
        "test_server_explore_acceptance::test_a86_a_second_revise_ends_a_run_that_may_be_revised_once",
        "test_server_explore_magentic_parked::test_a_plan_is_sent_back_parks_again_and_the_next_revise_ends_the_run",
    ),
    "A87": (
        "test_server_explore_magentic::test_the_call_that_passes_the_cap_ends_the_run_and_is_the_last",
        "test_server_explore_acceptance::test_a87_a_run_out_of_tokens_leaves_its_trace_and_code_five",
    ),
    "A88": ("test_server_explore_magentic::test_the_text_false_is_as_true_as_the_loop_takes_it",),
    "A89": ("test_server_explore_magentic::test_a_round_that_was_lost_counts_as_a_round",),
    "A90": (
        "test_server_explore_spans::test_a_parked_and_resumed_run_is_one_span_in_the_order_of_its_ledger",
    ),
    "A91": (
        "test_server_explore_rules::test_a91_a_folder_of_explorations_inside_a_base_stops_the_start",
    ),
    "A92": (
        "test_server_explore_magentic_parked::test_a_stalled_plan_that_cannot_run_is_put_to_nobody",
    ),
    "A93": (
        "test_server_explore_acceptance::test_a93_the_run_of_another_is_told_in_the_words_for_none",
    ),
    "A94": ("test_server_explore_acceptance::test_a94_a_request_key_opens_one_run",),
    "A95": (
        "test_server_explore_rules::test_a95_starting_material_never_enters_the_objective",
        "test_server_explore_magentic::test_the_task_is_the_objective_and_the_roles_are_told_their_work",
    ),
    "A96": ("test_server_explore_rules::test_a96_a_satisfied_row_past_the_cap_is_no_row",),
}
